// What JetStream is told about a message of the queue of work: by a word to the subject that came with it.

#ifndef KIBITZ_SERVER_JOBS_NATS_WORK_ANSWERS_H_
#define KIBITZ_SERVER_JOBS_NATS_WORK_ANSWERS_H_

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "server/jobs/nats/nats_client.h"

namespace kibitz::server {

// What does not arrive is made up for: the message is given out once more, and found to be done.
inline void AnswerWork(NatsClient& client, const std::string& reply, const std::string& word) {
  natsConnection_PublishString(client.connection(), reply.c_str(), word.c_str());
}

// It is done, and goes.
inline constexpr char kWorkDone[] = "+ACK";
// It is being done: not for anybody else yet.
inline constexpr char kWorkGoesOn[] = "+WPI";
// It is for somebody else, after a pause.
inline std::string WorkReturned(std::chrono::nanoseconds pause) {
  return pause.count() > 0 ? absl::StrCat("-NAK {\"delay\": ", pause.count(), "}") : "-NAK";
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_WORK_ANSWERS_H_
