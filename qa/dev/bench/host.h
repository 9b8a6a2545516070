// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_QA_DEV_BENCH_HOST_H_
#define PMPROOF_QA_DEV_BENCH_HOST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qa/dev/bench/archive_writer.h"
#include "reference/archive/encode.h"
#include "reference/archive/model.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

namespace pmproof::bench {

// What a metric of the made-up host has an instance for.
enum class Scope : std::uint8_t { kHost, kLoad, kCpu, kDisk, kProcess };
inline constexpr std::size_t kScopes = 5;

struct HostMetric {
  const char* name;
  Scope scope;
  MetricType type;
  Semantics semantics;
  std::uint32_t units;
  // Counters grow by up to this much a step, instantaneous values vary by it. A bit mask.
  std::uint32_t spread;
};

// The metrics of the host, some sixty, in the order they have in a record.
std::span<const HostMetric> HostMetrics();

// A made-up computer as pmlogger sees it: CPUs, disks and processes that come and go, some 2000
// values a record. A record is encoded once and its values are replaced step by step, until
// processes change.
class Host {
 public:
  explicit Host(int version);

  // Writes the metadata that the record of `time` is the first to need, and gives that record. The
  // bytes hold until the next call.
  Bytes Step(Timestamp time, ArchiveWriter* writer);

  // A record of the present instances as a model; all numbers are 0.
  archive::ResultModel Model() const;

 private:
  struct Instance {
    std::int32_t id;
    std::string name;
  };
  struct Metric {
    std::uint32_t first_pair = 0;   // offset in the record of the first value's pair
    std::uint32_t first_block = 0;  // and of its block; 0 where values are insitu
    std::vector<std::uint64_t> values;
  };

  std::uint32_t Random();
  std::uint64_t FirstValue(const HostMetric& metric);
  Instance NewProcess();
  void Describe(Timestamp time, ArchiveWriter* writer);
  void ReplaceProcesses(Timestamp time, ArchiveWriter* writer);
  void Encode();
  void Update();

  int version_;
  std::uint64_t random_ = 0x706d70726f6f66;
  std::uint64_t steps_ = 0;
  std::int32_t next_pid_ = 300;
  std::array<std::vector<Instance>, kScopes> instances_;
  std::vector<Metric> metrics_;
  archive::Buffer record_;
};

}  // namespace pmproof::bench

#endif  // PMPROOF_QA_DEV_BENCH_HOST_H_
