// What a doctor says of one thing that was looked at.

#ifndef KIBITZ_CLIENT_DOCTOR_FINDING_H_
#define KIBITZ_CLIENT_DOCTOR_FINDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace kibitz::client {

struct Finding {
  enum class Verdict : std::uint8_t {
    kGood,
    kNote,  // works, but could be better
    kBad,   // does not work
  };
  // In a word or two: "huge pages".
  std::string subject;
  Verdict verdict = Verdict::kGood;
  // How it is.
  std::string words;
  // What to do about it. Empty where all is well.
  std::string next_step{};
};

using Findings = std::vector<Finding>;

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_DOCTOR_FINDING_H_
