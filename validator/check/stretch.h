// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_STRETCH_H_
#define PMPROOF_VALIDATOR_CHECK_STRETCH_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/storage.h"
#include "reference/core/bytes.h"
#include "reference/core/timestamp.h"
#include "validator/check/finding_collector.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/value_rules.h"

namespace pmproof::validator {

// The values of a run of data records of one volume under check. Stretches are independent of each
// other; ValueTotals joins them in order. A resource: the checker points to the collector.
class Stretch {
 public:
  Stretch(const MetricTable& metrics, FindingCollector collector_for_this, archive::Part part,
          int version)
      : collector(std::move(collector_for_this)),
        checker(metrics, collector),
        part_(part),
        version_(version) {}
  Stretch(const Stretch&) = delete;
  Stretch& operator=(const Stretch&) = delete;

  // Checks one record. `latest` is the largest time of the records before it, nothing if there are
  // none.
  void CheckRecord(const archive::RecordView& record, std::optional<Timestamp>* latest);

  // What CheckAll() is to check: whole records back to back, the first one with this offset and
  // ordinal.
  Bytes bytes;
  std::shared_ptr<const archive::StoredFile> content;  // what `bytes` lie in; may be null
  std::uint64_t offset = 0;
  std::uint64_t ordinal = 0;
  std::optional<Timestamp> latest;
  void CheckAll();

  FindingCollector collector;
  ValueChecker checker;
  bool behind_lost = false;   // records in front of this were not read
  std::uint64_t refused = 0;  // records that readers refuse: their values were not seen

 private:
  archive::Part part_;
  int version_;
};

// Threads that check stretches, with the caller as one of them.
class StretchPool {
 public:
  // `threads` beside the caller's; 0 checks everything in Take().
  explicit StretchPool(unsigned threads);
  ~StretchPool();
  StretchPool(const StretchPool&) = delete;
  StretchPool& operator=(const StretchPool&) = delete;

  void Put(std::unique_ptr<Stretch> stretch);

  // Prepares `part` of `content`, if that is there still: before stretches are checked, and on a
  // thread that is not the caller's.
  void PrepareSoon(Bytes part, std::weak_ptr<const archive::StoredFile> content);

  // The oldest stretch that was put in, checked; the caller's thread works meanwhile. Not empty.
  // Throws std::bad_alloc if there was no memory for that.
  std::unique_ptr<Stretch> Take();

  std::size_t size() const { return order_.size(); }

 private:
  struct Unprepared {
    Bytes part;
    std::weak_ptr<const archive::StoredFile> content;
  };
  struct Job {
    std::unique_ptr<Stretch> stretch;
    bool taken = false;
    bool done = false;
    bool out_of_memory = false;
  };

  Job* NextJob();  // under mutex_
  void PrepareNext(std::unique_lock<std::mutex>& lock);
  void Work(Job* job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> order_;
  std::deque<Unprepared> unprepared_;
  bool ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_STRETCH_H_
