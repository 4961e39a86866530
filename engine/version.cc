#include "engine/version.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "engine/engine.h"

namespace kibitz {

std::string VersionAndBuild() { return absl::StrCat(EngineVersion(), " (", EngineBuild(), ")"); }

}  // namespace kibitz
