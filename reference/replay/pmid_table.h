// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_PMID_TABLE_H_
#define PMPROOF_REFERENCE_REPLAY_PMID_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "reference/core/identifiers.h"

namespace pmproof::replay {

// Finds metrics by their identifiers, quickest those that it does not have: most value sets of a
// record are of metrics that nobody asked for. Identifiers that were chosen to collide are found in
// logarithmic time.
class PmidTable {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Room for `count` metrics, about 64 bytes for each.
  explicit PmidTable(std::size_t count)
      : shift_(32 - static_cast<int>(std::bit_width(4 * count + 3))),
        places_(std::size_t{1} << (32 - shift_)) {}

  // `number` belongs to the metric, which is added once. At most as many as there is room for.
  void Add(Pmid pmid, std::size_t number) {
    std::size_t at = FirstPlace(pmid);
    for (int probes = 0; probes < kMostProbes; ++probes, at = Next(at)) {
      if (places_[at].number != kNone) continue;
      places_[at] = {pmid.value, number};
      return;
    }
    others_.emplace(pmid, number);
  }

  // The number of the metric, or kNone.
  std::size_t Find(Pmid pmid) const {
    std::size_t at = FirstPlace(pmid);
    for (int probes = 0; probes < kMostProbes; ++probes, at = Next(at)) {
      const Place& place = places_[at];
      if (place.number == kNone || place.pmid == pmid.value) return place.number;
    }
    const auto found = others_.find(pmid);
    return found == others_.end() ? kNone : found->second;
  }

 private:
  static constexpr int kMostProbes = 32;

  struct Place {
    std::uint32_t pmid = 0;
    std::size_t number = kNone;
  };

  // The product's high bits depend on all bits of the identifier.
  std::size_t FirstPlace(Pmid pmid) const { return (pmid.value * 0x9e3779b9U) >> shift_; }
  std::size_t Next(std::size_t at) const { return (at + 1) & (places_.size() - 1); }

  int shift_;
  std::vector<Place> places_;           // a power of two, at most a quarter of them taken
  std::map<Pmid, std::size_t> others_;  // those that found no place
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_PMID_TABLE_H_
