// All metrics that kibitzd has, in one place.

#ifndef KIBITZ_SERVER_METRICS_ALL_METRICS_H_
#define KIBITZ_SERVER_METRICS_ALL_METRICS_H_

#include <vector>

#include "prometheus/metric_family.h"
#include "server/metrics/server_status.h"

namespace kibitz::server {

// Labels have few values: methods are the server's own, tenants those of the keys file, codes, reasons and causes those
// of this program.
std::vector<prometheus::MetricFamily> AllMetrics(const ServerStatus& status);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_METRICS_ALL_METRICS_H_
