// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_METRIC_NAME_H_
#define PMPROOF_REFERENCE_CORE_METRIC_NAME_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"

namespace pmproof {

// Components with dots between, each a letter and then letters, digits and underscores (MET-701).
bool IsMetricName(std::string_view name);

// "hinv.ncpu or hinv.cpus": the names of one metric as text tools write them (MET-703).
std::string JoinNames(const std::vector<std::string>& names);

// The names of metrics as a tree (MET-701..704): a name is a leaf, which has a PMID, or an inner
// node, never both; a PMID may have several names. Names that IsMetricName() does not like are
// taken, as archives have them. A value.
class NameSpace {
 public:
  enum class Outcome : std::uint8_t {
    kAdded,
    kThereAlready,  // with the same PMID
    kTaken,         // with another PMID: one name has one (MET-703)
    kInner,         // it is an inner node, or one of those above it is a leaf (MET-704)
  };
  Outcome Add(std::string_view name, Pmid pmid);

  // kNonLeaf: an inner node; kName: neither (MET-704).
  tl::expected<Pmid, ErrorCode> Find(std::string_view name) const;

  // In ascending order.
  std::vector<std::string> NamesOf(Pmid pmid) const;

  // The leaves at or below `node` in ascending order; all for an empty one.
  std::vector<std::string> LeavesBelow(std::string_view node) const;

  std::size_t size() const { return leaves_.size(); }

 private:
  bool IsInner(std::string_view name) const;

  std::map<std::string, Pmid, std::less<>> leaves_;
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_METRIC_NAME_H_
