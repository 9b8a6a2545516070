// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_STRETCHES_AHEAD_H_
#define PMPROOF_VALIDATOR_CHECK_STRETCHES_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "validator/check/finding_collector.h"
#include "validator/check/parts_ahead.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/stretch_ahead.h"
#include "validator/check/work_pool.h"

namespace pmproof::validator {

// Has the stretches of one volume checked by all threads, some of them ahead of the one that is
// needed next. A resource: not copied.
class StretchesAhead {
 public:
  struct Volume {
    const archive::StoredFile* file = nullptr;  // not compressed; null: nothing is checked ahead
    archive::Part part = 0;
    int version = 2;
    Timestamp from{};         // no record is earlier, if all is well
    std::uint64_t after = 0;  // how many bytes threads may look at of the next one
  };

  // `stretch` is how many bytes a stretch has at most, all that it looks at not counted. All
  // outlive this.
  StretchesAhead(WorkPool& pool, const MetricTable& metrics, const FindingCollector& collector,
                 Volume volume, std::size_t stretch, StretchBuffers& buffers);

  // Has stretches begun while the volume before this one, of which `before` are under way, is
  // walked over: as many as its threads have no other work for. `position` is where the first
  // record begins, `latest` the largest time so far.
  void BeginAfter(const StretchesAhead& before, std::uint64_t position,
                  const std::optional<Timestamp>& latest);

  // Has those begun that Take() could give next.
  void Plan(std::uint64_t position, const std::optional<Timestamp>& latest);

  // The stretch whose records follow those up to `position`, the largest time of which is `latest`.
  // Null if there is none: the records from `position` to next() are for the caller to check.
  // Positions do not go back.
  std::unique_ptr<StretchAhead> Take(std::uint64_t position,
                                     const std::optional<Timestamp>& latest);

  // Whether stretches were in vain, or there was no memory for them.
  bool given_up() const { return parts_.given_up(); }

  // Where it is worth to call Take() again.
  std::uint64_t next() const { return parts_.next(); }

 private:
  void LimitAt(std::uint64_t position);
  std::unique_ptr<StretchAhead> Make(FilePart part, const std::optional<Timestamp>& latest) const;

  const MetricTable& metrics_;
  const FindingCollector& collector_;
  const Volume volume_;
  bool limited_ = false;
  StretchBuffers& buffers_;
  PartsAhead<StretchAhead> parts_;  // its threads use what is above
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_STRETCHES_AHEAD_H_
