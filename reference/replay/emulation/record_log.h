// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_EMULATION_RECORD_LOG_H_
#define PMPROOF_REFERENCE_REPLAY_EMULATION_RECORD_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/replay/observation_reader.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::replay::emulation {

// One value of a record, by cell (metric and instance).
struct LoggedValue {
  std::size_t cell = 0;
  Value value;
};

// A record as the search meets it; without values of other metrics.
struct LoggedRecord {
  double at = 0;  // INT-201
  archive::Part volume = 0;
  std::uint64_t offset = 0;
  bool mark = false;
  std::vector<LoggedValue> values;  // in record order
};

// An entry of the temporal index, and the record that it points to (as many as there are: the end).
struct LoggedEntry {
  Timestamp time;
  double at = 0;
  archive::Part volume = 0;
  std::uint64_t offset = 0;
  std::size_t record = 0;
};

// A metric with its candidate instances in the order of PCP's answers (INT-409).
struct LoggedMetric {
  Descriptor descriptor;
  bool singular = false;
  std::vector<std::int32_t> instances;
  std::vector<Candidate> lives;  // of each; birth and death of INT-403 where the domain is large
  bool has_lives = false;
  std::size_t first_cell = 0;
};

// All records of one archive in memory, as far as they concern some metrics: what the emulation of
// PCP's search works on. A resource: values view what it holds.
class RecordLog {
 public:
  // Errors: those of the archive; kUnsupported for what the emulation does not model: several
  // archives as one (INT-1408), damaged records, forms of INT-411, an index that points to no
  // record; kBudget for more than `memory` bytes. `metrics` are known to the archive and distinct.
  static Result<std::unique_ptr<RecordLog>> Load(const ReplayArchive& archive,
                                                 std::span<const Pmid> metrics, std::size_t memory);

  const std::vector<LoggedMetric>& metrics() const { return metrics_; }
  const std::vector<LoggedRecord>& records() const { return records_; }
  const std::vector<LoggedEntry>& index() const { return index_; }
  // Times of the marks, ascending.
  const std::vector<double>& marks() const { return marks_; }
  const Origin& origin() const { return origin_; }
  // The end of the last record of a volume.
  std::uint64_t VolumeSize(archive::Part volume) const;
  archive::Part last_volume() const { return last_volume_; }
  // INT-207.
  double end() const { return records_.empty() ? 0 : records_.back().at; }

 private:
  class Loader;
  std::vector<LoggedMetric> metrics_;
  std::vector<LoggedRecord> records_;
  std::vector<LoggedEntry> index_;
  std::vector<double> marks_;
  std::map<archive::Part, std::uint64_t> volume_sizes_;
  std::deque<std::string> opaque_;
  Origin origin_;
  archive::Part last_volume_ = 0;
};

}  // namespace pmproof::replay::emulation

#endif  // PMPROOF_REFERENCE_REPLAY_EMULATION_RECORD_LOG_H_
