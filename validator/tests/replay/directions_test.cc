// SPDX-License-Identifier: Apache-2.0
// Forward and backward give the same (INT-306), but for INT-706, which goes by the time of the
// fetch before, and, in a set of archives under the rules of PCP, for the virtual mark (INT-905).

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
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

constexpr std::int64_t kMillisecond = 1'000'000;

// At times that ascend; without those right after the end, where INT-206 has a memory.
Asked AnyWay(const AnyArchive& archive, const ReplayArchive& opened, Random& random) {
  Asked asked = AnyQuestion(archive, opened, random);
  std::vector<Timestamp>& times = asked.times;
  const Timestamp end = opened.End().value_or(opened.origin().start());
  std::erase_if(times, [&](Timestamp time) {
    const std::int64_t behind = NanosecondsBetween(end, time);
    return behind > 0 && behind <= 2 * kMillisecond;
  });
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return asked;
}

std::vector<GotFetch> Forward(const ReplayArchive& archive, Asked asked, const Profile& profile,
                              const Replay& replay) {
  asked.request.direction = 1;
  return replay(archive, asked, profile);
}

std::vector<GotFetch> Backward(const ReplayArchive& archive, Asked asked, const Profile& profile,
                               const Replay& replay) {
  asked.request.direction = -1;
  std::ranges::reverse(asked.times);
  std::vector<GotFetch> got = replay(archive, asked, profile);
  std::ranges::reverse(got);
  return got;
}

std::string TheDirectionMatters(const AnyArchive& archive, std::uint64_t seed,
                                const Profile& profile, const Replay& replay) {
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  Asked asked = AnyWay(archive, *opened.archive, random);
  asked.request.seeks = random.Chance(1, 2);
  std::vector<GotFetch> forward = Forward(*opened.archive, asked, profile, replay);
  std::vector<GotFetch> backward = Backward(*opened.archive, asked, profile, replay);
  if (asked.request.seeks) return Difference(forward, backward);
  // INT-706: a counter may be left out in one of them (where: history_test.cc).
  for (std::size_t i = 0; i < std::min(forward.size(), backward.size()); ++i) {
    for (std::size_t m = 0; m < forward[i].metrics.size() && m < backward[i].metrics.size(); ++m) {
      GotMetric& one = forward[i].metrics[m];
      GotMetric& other = backward[i].metrics[m];
      if (opened.archive->metrics().at(one.pmid).descriptor.semantics != Semantics::kCounter) {
        continue;
      }
      if (one.values.empty() || other.values.empty()) one = other;
    }
  }
  return Difference(forward, backward);
}

// What a DISCRETE metric is at `time` between the end of the first archive and the start of the
// second one, and what it was at that end.
struct InTheGap {
  Timestamp time;
  Timestamp end;
  Timestamp start;
  const GotMetric& at_end;
};

// INT-905: whether the value of the end still stands.
bool Stands(const InTheGap& gap, int direction, const Profile& profile) {
  if (profile->name() != "documented" && direction < 0) {
    return gap.time < gap.start + -kMillisecond;
  }
  return gap.time < gap.end + kMillisecond;
}

std::string WrongInTheGap(const InTheGap& gap, int direction, const Profile& profile,
                          const GotMetric& got, Semantics semantics) {
  const bool may_stand = semantics == Semantics::kDiscrete && Stands(gap, direction, profile);
  if (got.status != ErrorCode::kOk) return "an error between archives";
  if (!may_stand) return got.values.empty() ? "" : "a value between archives";
  // Those that are gone may have been taken away by INT-403 meanwhile.
  for (const GotValue& value : got.values) {
    const auto was = std::ranges::find(gap.at_end.values, value.instance, &GotValue::instance);
    if (was == gap.at_end.values.end() || was->bits != value.bits || was->opaque != value.opaque) {
      return "another value than that of the end";
    }
  }
  return got.values.empty() == gap.at_end.values.empty() ? "" : "the value of the end is gone";
}

std::string TheBorderIsAnother(const AnyArchive& archive, std::uint64_t seed,
                               const Profile& profile, const Replay& replay) {
  if (archive.plans.size() < 2) return "";
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  const Timestamp end = TimesOfRecords({{archive.plan()}, ""}).back();
  const Timestamp start = archive.plans.back().label.start;
  Asked asked = AnyWay(archive, *opened.archive, random);
  asked.request.seeks = true;
  const std::int64_t gap = NanosecondsBetween(end, start);
  asked.times.push_back(end);
  for (const Timestamp border : {end + kMillisecond, start + -kMillisecond}) {
    for (const std::int64_t beside : {-1, 0, 1}) asked.times.push_back(border + beside);
  }
  for (int i = 0; i < 3; ++i) asked.times.push_back(end + random.Between(1, gap - 1));
  std::ranges::sort(asked.times);
  const std::vector<GotFetch> forward = Forward(*opened.archive, asked, profile, replay);
  const std::vector<GotFetch> backward = Backward(*opened.archive, asked, profile, replay);
  const auto at_end =
      static_cast<std::size_t>(std::ranges::lower_bound(asked.times, end) - asked.times.begin());
  for (std::size_t i = 0; i < asked.times.size(); ++i) {
    const Timestamp time = asked.times[i];
    if (time <= end || time >= start) {
      std::string difference = Difference({forward[i]}, {backward[i]});
      if (!difference.empty()) return difference;
      continue;
    }
    for (std::size_t m = 0; m < asked.request.metrics.size(); ++m) {
      const InTheGap in{time, end, start, forward[at_end].metrics[m]};
      const Semantics semantics =
          opened.archive->metrics().at(asked.request.metrics[m]).descriptor.semantics;
      for (const int direction : {1, -1}) {
        const GotFetch& fetch = direction < 0 ? backward[i] : forward[i];
        const std::string wrong =
            WrongInTheGap(in, direction, profile, fetch.metrics.at(m), semantics);
        if (!wrong.empty()) {
          return (direction < 0 ? "backward " : "forward ") + wrong + ": " + ToText(fetch) +
                 "at the end " + ToText(in.at_end);
        }
      }
    }
  }
  return "";
}

RC_GTEST_PROP(ReplayDirectionsTest, ForwardAndBackwardAgree, ()) {
  Holds(ArchivesToReplay(), TheDirectionMatters);
}

RC_GTEST_PROP(ReplayDirectionsTest, InASetTheyAgreeButForTheVirtualMark, ()) {
  Holds(SetsToReplay(), TheBorderIsAnother);
}

TEST(ReplayDirectionsTest, ATimeThatIsNotReachedBackwardIsCaught) {
  const auto off_by_one = [](const ReplayArchive& archive, Asked asked, const Profile& profile) {
    if (asked.request.direction < 0) {
      for (Timestamp& time : asked.times) time = time + 1;
    }
    std::vector<GotFetch> got = RealReplay(archive, asked, profile);
    if (asked.request.direction < 0) {
      for (GotFetch& fetch : got) fetch.time = fetch.time + -1;
    }
    return got;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), TheDirectionMatters, off_by_one));
}

TEST(ReplayDirectionsTest, AMarkThatDoesNotFollowTheDirectionIsCaught) {  // INT-905
  const auto always = [](int direction) {
    return [direction](const ReplayArchive& archive, Asked asked, const Profile& profile) {
      asked.request.direction = direction;
      return RealReplay(archive, asked, profile);
    };
  };
  EXPECT_TRUE(IsCaught(SetsToReplay(), TheBorderIsAnother, always(1)));
  EXPECT_TRUE(IsCaught(SetsToReplay(), TheBorderIsAnother, always(-1)));
}

class FollowsTheDirection final : public replay::PcpLegacy {
 public:
  std::string_view name() const override { return "documented"; }
};

TEST(ReplayDirectionsTest, ADocumentedMarkThatFollowsTheDirectionIsCaught) {  // INT-1211
  EXPECT_TRUE(IsCaught(SetsToReplay(), TheBorderIsAnother, RealReplay, {FollowsTheDirection()}));
}

}  // namespace
}  // namespace pmproof::validator::testing
