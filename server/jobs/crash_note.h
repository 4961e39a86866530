// Whether a server crashed, or was ended by others: known once it starts again.

#ifndef KIBITZ_SERVER_JOBS_CRASH_NOTE_H_
#define KIBITZ_SERVER_JOBS_CRASH_NOTE_H_

#include <string>

namespace kibitz::server {

// Whether the last process that noted its crashes at `path` has crashed. From now on this one does: whatever signal it
// brings upon itself ends it as before, but leaves a note. A process that is killed leaves none.
bool NoteCrashes(const std::string& path);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_CRASH_NOTE_H_
