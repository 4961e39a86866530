// Whether this machine is fit to search: what its processor, memory and limits allow.

#ifndef KIBITZ_CLIENT_DOCTOR_MACHINE_H_
#define KIBITZ_CLIENT_DOCTOR_MACHINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client/doctor/finding.h"

namespace kibitz::client {

// Where to look. The defaults are those of the machine itself.
struct MachineOptions {
  std::string processor_file = "/proc/cpuinfo";
  std::string memory_file = "/proc/meminfo";
  std::string huge_pages_file = "/sys/kernel/mm/transparent_hugepage/enabled";
  // The limits that a container or a service manager sets.
  std::string cgroup_folder = "/sys/fs/cgroup";
  std::string package_database = "/var/lib/dpkg/status";
  // The processors that this program may use, and the most files that it may open.
  int processors = 0;          // 0: ask the system
  std::int64_t max_files = 0;  // 0: ask the system
  // Folders of Syzygy tables, separated by colons. Empty: none are wanted.
  std::string syzygy_path{};
  // Packages that should be installed.
  std::vector<std::string> packages{};
};

Findings CheckMachine(const MachineOptions& options);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_DOCTOR_MACHINE_H_
