// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_REPLAY_REPLAYED_H_
#define PMPROOF_VALIDATOR_TESTS_REPLAY_REPLAYED_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/storage.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"
#include "validator/tests/replay/any_archive.h"

// Replay as properties see it: answers that hold by themselves and can be compared.

namespace pmproof::validator::testing {

struct GotValue {
  std::int32_t instance = kInstanceNull;
  MetricType type = MetricType::k32;
  bool insitu = false;
  std::uint64_t bits = 0;
  std::string opaque;
  Clause why;

  friend bool operator==(const GotValue&, const GotValue&) = default;
};

struct GotMetric {
  Pmid pmid;
  ErrorCode status = ErrorCode::kOk;
  std::vector<GotValue> values;
  std::vector<replay::Bounds> bounds;  // of each value, if reasons were asked for; not compared

  friend bool operator==(const GotMetric& a, const GotMetric& b) {
    return a.pmid == b.pmid && a.status == b.status && a.values == b.values;
  }
};

struct GotFetch {
  Timestamp time;
  ErrorCode status = ErrorCode::kOk;
  std::vector<GotMetric> metrics;

  friend bool operator==(const GotFetch&, const GotFetch&) = default;
};

struct Asked {
  replay::ReplayRequest request;
  std::vector<Timestamp> times;
  std::vector<std::size_t> calls =
      {};  // so many times in each call of Fetch(); in the last the rest
};

// An archive, opened. `error` says why it could not be.
struct OpenedArchive {
  std::unique_ptr<archive::MemoryStorage> storage = std::make_unique<archive::MemoryStorage>();
  std::unique_ptr<replay::ReplayArchive> archive;
  std::string error;

  // Of the files in `storage`.
  void Open(const std::vector<std::string>& names);
};

OpenedArchive Open(const std::vector<generators::ArchivePlan>& plans);

// What one context answers, fetch by fetch. Where the memory allowed is too little it is asked
// again with four times as much; any other error of Fetch() stands as the status of a last fetch,
// without metrics.
using Replay = std::function<std::vector<GotFetch>(const replay::ReplayArchive& archive,
                                                   const Asked& asked, const replay::Profile&)>;
std::vector<GotFetch> RealReplay(const replay::ReplayArchive& archive, const Asked& asked,
                                 const replay::Profile& profile);

// All metrics of an archive, each once.
std::vector<Pmid> AllMetrics(const replay::ReplayArchive& archive);

// All metrics or some; at few times or many, in any order; forward or backward.
Asked AnyQuestion(const AnyArchive& archive, const replay::ReplayArchive& opened,
                  generators::Random& random);

// All answers as one text that no difference escapes, for people.
std::string ToText(const GotMetric& metric);
std::string ToText(const GotFetch& fetch);

// Empty if both are the same.
std::string Difference(const std::vector<GotFetch>& expected, const std::vector<GotFetch>& got);

// A property: what is wrong, empty if nothing is. `seed`: of what it chooses.
using Property = std::function<std::string(const AnyArchive& archive, std::uint64_t seed,
                                           const replay::Profile&, const Replay&)>;

// For RapidCheck: the property holds of some archives by chance under each of these profiles, or
// each named one.
void HoldsUnder(const std::vector<replay::Profile>& profiles, const rc::Gen<AnyArchive>& archives,
                const Property& property);
void Holds(const rc::Gen<AnyArchive>& archives, const Property& property);

// Whether any of a few hundred archives shows that the property does not hold of this replay, or
// this rule.
bool IsCaught(const rc::Gen<AnyArchive>& archives, const Property& property, const Replay& replay,
              const std::vector<replay::Profile>& profiles = replay::NamedProfiles());

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_REPLAY_REPLAYED_H_
