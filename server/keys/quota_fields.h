// The numbers of a quota by name, as they stand in the file of keys and in the flags of `kibitz keys`.

#ifndef KIBITZ_SERVER_KEYS_QUOTA_FIELDS_H_
#define KIBITZ_SERVER_KEYS_QUOTA_FIELDS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "server/tenant/tenant.h"

namespace kibitz::server {

struct QuotaField {
  const char* name;
  const char* help;
  std::int64_t min;
  std::int64_t max;
  // Nothing where the server's own bounds hold alone.
  std::optional<std::int64_t> (*get)(const Quota&);
  void (*set)(Quota&, std::int64_t);
};

const std::vector<QuotaField>& QuotaFields();

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_KEYS_QUOTA_FIELDS_H_
