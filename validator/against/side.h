// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_SIDE_H_
#define PMPROOF_VALIDATOR_AGAINST_SIDE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/set_member.h"
#include "reference/archive/storage.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/status.h"
#include "reference/core/timestamp.h"
#include "validator/check/report/report.h"

namespace pmproof::validator::against {

// One archive of a side.
struct SideMember {
  std::string name;
  archive::OpenedMember opened;
  std::optional<Timestamp> end;  // of its last record
};

// A metric as the archives of a side describe it together (ARC-307, ARC-553).
struct SideMetric {
  Descriptor descriptor;
  std::set<std::string_view> names;
};

// Archives that are held against others together: the original, or what replaces it. Their labels
// and metadata, without the data. A resource: views of it hold as long as it does.
class Side {
 public:
  // `judged` is what check says of them; each is readable. `budget` is for the metadata of all.
  // Errors: those of opening; kBudget; kUnsupported for archives that nobody could read together,
  // since they are of several hosts (ARC-552) or describe a metric in two ways (ARC-553), and for
  // names of instances that overlap each other (ARC-1421).
  static Result<Side> Open(const archive::Storage& storage,
                           const std::vector<ArchiveReport>& judged,
                           const archive::SourceLimits& limits, std::size_t budget);

  // In the order in which they are read (ARC-551).
  const std::vector<SideMember>& members() const { return members_; }
  // The times of the marks that readers of all together see between them (ARC-556, INT-905).
  const std::vector<Timestamp>& seams() const { return seams_; }
  // Neighbours that cannot be read together since they overlap (ARC-555), by the start of the
  // later.
  struct Overlap {
    std::size_t earlier = 0;
    std::size_t later = 0;
  };
  const std::vector<Overlap>& overlaps() const { return overlaps_; }
  // How many of them are open at one time where all are read in order of time.
  std::size_t abreast() const { return abreast_; }

  std::map<Pmid, SideMetric> Metrics() const;

 private:
  Side() = default;
  void Arrange();

  std::vector<SideMember> members_;
  std::vector<Timestamp> seams_;
  std::vector<Overlap> overlaps_;
  std::size_t abreast_ = 1;
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_SIDE_H_
