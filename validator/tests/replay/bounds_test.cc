// SPDX-License-Identifier: Apache-2.0
// The bounds of every metric and instance at any time are those that a search over all records
// finds, said in the simplest words (naive_search.h): section 3, INT-206, INT-401.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "validator/tests/replay/any_archive.h"
#include "validator/tests/replay/naive_search.h"
#include "validator/tests/replay/replayed.h"

namespace pmproof::validator::testing {
namespace {

using generators::Random;
using replay::Profile;
using replay::ReplayArchive;

// Answers whatever the bounds are, so that all of them are seen.
class TellsBounds : public replay::Rule {
 public:
  std::string_view name() const override { return "tells-bounds"; }
  replay::ProfileTraits traits() const override {
    replay::ProfileTraits traits;
    traits.exact_end = true;
    traits.lifetimes = false;
    return traits;
  }
  replay::Answer At(const replay::Bounds&, const replay::Question& question) const override {
    replay::Answer answer;
    answer.kind = replay::Answer::Kind::kValue;
    answer.value.type = question.type;
    answer.why = "INT-301"_clause;
    return answer;
  }

 protected:
  replay::Answer Choose(const replay::Bounds&, const replay::Question&) const override {
    return {};
  }
  replay::Answer Line(const replay::Bounds&, const replay::Question&) const override { return {}; }
};

NaiveBound::Kind KindOf(replay::Bound::Kind kind) {
  switch (kind) {
    case replay::Bound::Kind::kMark:
      return NaiveBound::Kind::kMark;
    case replay::Bound::Kind::kDamage:
      return NaiveBound::Kind::kRefused;
    case replay::Bound::Kind::kValue:
      return NaiveBound::Kind::kValue;
    case replay::Bound::Kind::kNone:
      break;
  }
  return NaiveBound::Kind::kNone;
}

// Reasons are without opaque values.
bool Agree(const NaiveBound& expected, const replay::Bound& got) {
  if (KindOf(got.kind) != expected.kind) return false;
  if (expected.kind == NaiveBound::Kind::kNone) return true;
  if (got.moment.at != expected.at || got.moment.record != expected.record) return false;
  return !expected.IsValue() ||
         (got.value.bits == expected.bits && got.value.insitu == expected.insitu);
}

std::string BoundText(const NaiveBound& bound) {
  std::ostringstream text;
  text << "kind " << static_cast<int>(bound.kind) << " at " << bound.at << " record "
       << bound.record << " " << std::hex << bound.bits;
  return text.str();
}

// What is wrong with the answer for one metric at one time.
std::string Wrong(const GotMetric& metric, double t, const NaiveSearch& search) {
  std::set<std::int32_t> answered;
  for (const GotValue& value : metric.values) answered.insert(value.instance);
  if (answered != search.Candidates(metric.pmid)) return "other instances: " + ToText(metric);
  for (std::size_t i = 0; i < metric.values.size(); ++i) {
    const NaiveBounds expected = search.At(metric.pmid, metric.values[i].instance, t);
    const replay::Bounds& got = metric.bounds.at(i);
    if (Agree(expected.prior, got.prior) && Agree(expected.next, got.next)) continue;
    return "expected prior " + BoundText(expected.prior) + ", next " + BoundText(expected.next) +
           "; got " + ToText(metric);
  }
  return "";
}

std::string BoundsAreOthers(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                            const Replay& replay) {
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  const NaiveSearch search(archive.plan());
  Asked asked = AnyQuestion(archive, *opened.archive, random);
  asked.request.seeks = true;  // without INT-706
  asked.request.reasons = true;
  asked.request.memory = random.Chance(1, 4) ? 20'000 : std::size_t{512} << 20;
  const std::vector<GotFetch> got = replay(*opened.archive, asked, profile);
  if (got.size() != asked.times.size()) return "fetches are missing";
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double t = search.Relative(asked.times[i]);
    const bool outside = t < 0 || t > search.End();
    if (outside != (got[i].status == ErrorCode::kEndOfLog)) return "status: " + ToText(got[i]);
    for (const GotMetric& metric : got[i].metrics) {
      const std::string wrong = Wrong(metric, t, search);
      if (!wrong.empty()) return "at " + ToEpochText(asked.times[i]) + ": " + wrong;
    }
  }
  return "";
}

RC_GTEST_PROP(ReplayBoundsTest, BoundsAreThoseOfASearchOverAllRecords, ()) {
  HoldsUnder({TellsBounds()}, ArchivesToReplay(), BoundsAreOthers);
}

// The bounds of one side exchanged for those of a time that is later or earlier by a nanosecond.
Replay BesideTheTime(std::int64_t nanoseconds) {
  return [nanoseconds](const ReplayArchive& archive, Asked asked, const Profile& profile) {
    for (Timestamp& time : asked.times) time = time + nanoseconds;
    return RealReplay(archive, asked, profile);
  };
}

TEST(ReplayBoundsTest, ATimeThatIsOffByANanosecondIsCaught) {
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), BoundsAreOthers, BesideTheTime(1), {TellsBounds()}));
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), BoundsAreOthers, BesideTheTime(-1), {TellsBounds()}));
}

TEST(ReplayBoundsTest, ABoundThatTakesTheFirstOfEqualTimesIsCaught) {  // INT-303, INT-704
  const auto first_of_equal = [](const ReplayArchive& archive, const Asked& asked,
                                 const Profile& profile) {
    std::vector<GotFetch> got = RealReplay(archive, asked, profile);
    Asked just_before = asked;
    for (Timestamp& time : just_before.times) time = time + -1;
    const std::vector<GotFetch> before = RealReplay(archive, just_before, profile);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i].metrics.size() != before[i].metrics.size()) continue;
      for (std::size_t m = 0; m < got[i].metrics.size(); ++m) {
        for (std::size_t v = 0; v < got[i].metrics[m].bounds.size(); ++v) {
          replay::Bounds& bounds = got[i].metrics[m].bounds[v];
          const replay::Bound& first = before[i].metrics[m].bounds[v].next;
          if (first.kind == bounds.prior.kind && first.moment.at == bounds.prior.moment.at) {
            bounds.prior = bounds.next = first;
          }
        }
      }
    }
    return got;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), BoundsAreOthers, first_of_equal, {TellsBounds()}));
}

TEST(ReplayBoundsTest, AMarkThatIsNotSeenIsCaught) {  // INT-301
  const auto no_marks = [](const ReplayArchive& archive, const Asked& asked,
                           const Profile& profile) {
    std::vector<GotFetch> got = RealReplay(archive, asked, profile);
    for (GotFetch& fetch : got) {
      for (GotMetric& metric : fetch.metrics) {
        for (replay::Bounds& bounds : metric.bounds) {
          if (bounds.next.kind == replay::Bound::Kind::kMark) bounds.next = {};
        }
      }
    }
    return got;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), BoundsAreOthers, no_marks, {TellsBounds()}));
}

}  // namespace
}  // namespace pmproof::validator::testing
