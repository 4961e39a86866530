// Which engine this is, for programs that may not open its door.

#ifndef KIBITZ_ENGINE_VERSION_H_
#define KIBITZ_ENGINE_VERSION_H_

#include <string>

namespace kibitz {

// What --version prints: "Kibitz 1.2.3 (x86-64-v3, Clang 19, sliders by pext)".
std::string VersionAndBuild();

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_VERSION_H_
