// Which processors a thread, and what it starts, may use.

#ifndef KIBITZ_CLIENT_MATCH_PROCESSORS_H_
#define KIBITZ_CLIENT_MATCH_PROCESSORS_H_

#include <vector>

namespace kibitz::client {

// The processors of the calling thread.
std::vector<int> OwnProcessors();

// The part of user `index` of `count` who share out the processors evenly, nothing if there are too few.
std::vector<int> ProcessorShare(const std::vector<int>& processors, int index, int count);

// Keeps the calling thread, and the threads and programs that it will start, on these processors. None: no change.
void StayOn(const std::vector<int>& processors);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_PROCESSORS_H_
