// The file of keys, looked at while the server runs.

#ifndef KIBITZ_SERVER_AUTH_KEY_STORE_H_
#define KIBITZ_SERVER_AUTH_KEY_STORE_H_

#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "server/auth/key_ring.h"
#include "server/files/files.h"

namespace kibitz::server {

// All methods may be called from any thread, but Refresh by one at a time.
class KeyStore {
 public:
  // An error tells all that is wrong with the file.
  static absl::StatusOr<std::unique_ptr<KeyStore>> Open(const std::string& path);

  // Looks whether the file has changed. New calls are then measured by the new keys; a file that is no good is logged,
  // and the old keys stay.
  void Refresh();

  std::shared_ptr<const KeyRing> ring() const;

 private:
  KeyStore(const std::string& path, FileWatch watch, std::shared_ptr<const KeyRing> ring);

  const std::string path_;
  FileWatch watch_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<const KeyRing> ring_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_AUTH_KEY_STORE_H_
