// SPDX-License-Identifier: Apache-2.0
// Values are what the rules make of the bounds of a naive search: test ideas 51 and 52 of
// reference/spec/interpolation.md (INT-403, INT-501..503, INT-603, INT-607, INT-701).

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "generators/transform.h"
#include "validator/tests/replay/any_archive.h"
#include "validator/tests/replay/naive_search.h"
#include "validator/tests/replay/replayed.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::Random;
using replay::Profile;
using replay::ReplayArchive;

// Without INT-706.
Asked AnyOneByOne(const AnyArchive& archive, const ReplayArchive& opened, Random& random) {
  Asked asked = AnyQuestion(archive, opened, random);
  asked.request.seeks = true;
  return asked;
}

const GotValue* ValueOf(const GotMetric& metric, std::int32_t instance) {
  const auto found = std::ranges::find(metric.values, instance, &GotValue::instance);
  return found == metric.values.end() ? nullptr : &*found;
}

bool IsStored(const GotValue& value, const NaiveBound& bound) {
  return value.bits == bound.bits && value.opaque == bound.opaque && value.insitu == bound.insitu;
}

// INT-503, INT-504: whether the earlier of two observations is chosen.
bool IsEarlierChosen(std::string_view profile, MetricType type, const NaiveBounds& bounds, double t,
                     const ArchivePlan& plan, Timestamp time) {
  if (profile == "pcp-legacy") return true;
  if (profile == "documented") {
    std::vector<Timestamp> times;
    for (const auto& [volume, results] : plan.volumes) {
      for (const archive::ResultModel& result : results) times.push_back(result.time);
    }
    const std::int64_t since = NanosecondsBetween(times[bounds.prior.record], time);
    return since <= NanosecondsBetween(time, times[bounds.next.record]);
  }
  return !IsNumeric(type) || t <= (bounds.prior.at + bounds.next.at) / 2;
}

// Test idea 51 has the line of a DOUBLE between its ends. The last rounding of INT-607 can pass an
// end by an ulp, and a difference or product that overflows goes anywhere (INT-610).
bool IsBetween(MetricType type, std::uint64_t value, std::uint64_t prior, std::uint64_t next,
               double span) {
  if (type == MetricType::kU32)
    return std::min(prior, next) <= value && value <= std::max(prior, next);
  const auto least = std::min(std::bit_cast<double>(prior), std::bit_cast<double>(next));
  const auto most = std::max(std::bit_cast<double>(prior), std::bit_cast<double>(next));
  if (!std::isfinite((most - least) * std::max(1.0, span))) return true;
  const double slack =
      4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(least), std::abs(most));
  const auto got = std::bit_cast<double>(value);
  return least - slack <= got && got <= most + slack;
}

class Judge {
 public:
  Judge(const AnyArchive& archive, const NaiveSearch& search, const Profile& profile)
      : archive_(archive), search_(search), profile_(profile) {}

  std::string Wrong(const GotMetric& metric, Timestamp time) const {
    const Descriptor& descriptor = search_.metrics().at(metric.pmid);
    const double t = search_.Relative(time);
    bool refused = false;
    for (const std::int32_t instance : search_.Candidates(metric.pmid)) {
      const NaiveBounds bounds = search_.At(metric.pmid, instance, t);
      refused = refused || bounds.prior.kind == NaiveBound::Kind::kRefused ||
                bounds.next.kind == NaiveBound::Kind::kRefused;
    }
    if (refused || metric.status != ErrorCode::kOk) {
      return refused == (metric.status == ErrorCode::kLogRecord) ? "" : "another status";
    }
    for (const std::int32_t instance : search_.Candidates(metric.pmid)) {
      const std::string wrong = Wrong(descriptor, instance, time, ValueOf(metric, instance));
      if (!wrong.empty()) return wrong + " [" + std::to_string(instance) + "]";
    }
    return "";
  }

 private:
  std::string Wrong(const Descriptor& descriptor, std::int32_t instance, Timestamp time,
                    const GotValue* got) const {
    const double t = search_.Relative(time);
    const auto [prior, next] = search_.At(descriptor.pmid, instance, t);
    const bool discrete = descriptor.semantics == Semantics::kDiscrete;
    const bool dead =
        profile_->name() != "documented" && search_.IsBeyondLife(descriptor.pmid, instance, t);
    if (!prior.IsValue() || !(discrete || next.IsValue()) || dead) {
      return got == nullptr ? "" : "a value where there is none";
    }
    if (got == nullptr) return "no value where there is one";
    if (prior.at == t) return IsStored(*got, prior) ? "" : "not the observation of this time";
    if (!next.IsValue()) return IsStored(*got, prior) ? "" : "not the last value";
    if (descriptor.semantics != Semantics::kCounter) {
      const bool earlier = IsEarlierChosen(profile_->name(), descriptor.type, {prior, next}, t,
                                           archive_.plan(), time);
      return IsStored(*got, earlier ? prior : next) ? "" : "not the observation that is chosen";
    }
    if (descriptor.type != MetricType::kU32 && descriptor.type != MetricType::kDouble) return "";
    return IsBetween(descriptor.type, got->bits, prior.bits, next.bits, next.at - prior.at)
               ? ""
               : "not between the bounds";
  }

  const AnyArchive& archive_;
  const NaiveSearch& search_;
  const Profile& profile_;
};

std::string ValuesAreOthers(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                            const Replay& replay) {
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  const NaiveSearch search(archive.plan());
  const Judge judge(archive, search, profile);
  const Asked asked = AnyOneByOne(archive, *opened.archive, random);
  const std::vector<GotFetch> got = replay(*opened.archive, asked, profile);
  for (std::size_t i = 0; i < got.size(); ++i) {
    for (const GotMetric& metric : got[i].metrics) {
      const std::string wrong = judge.Wrong(metric, asked.times[i]);
      if (!wrong.empty()) {
        return "at " + ToEpochText(asked.times[i]) + ": " + wrong + ": " + ToText(metric);
      }
    }
  }
  return "";
}

// Whole seconds later (INT-211), the start too. What an event says of its own time is in the value.
std::string TheEpochMatters(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                            const Replay& replay) {
  Random random(seed);
  const std::int64_t seconds = random.Between(-800'000'000, 800'000'000);
  const auto later = ShiftTimes(archive.plan(), seconds);
  if (!later) return "";
  const OpenedArchive opened = Open(archive.plans);
  const OpenedArchive shifted = Open({*later});
  if (!opened.archive || !shifted.archive) return opened.error + shifted.error;
  Asked asked = AnyOneByOne(archive, *opened.archive, random);
  asked.request.seeks = random.Chance(1, 2);
  std::vector<GotFetch> expected = replay(*opened.archive, asked, profile);
  for (Timestamp& time : asked.times) time.seconds += seconds;
  std::vector<GotFetch> got = replay(*shifted.archive, asked, profile);
  for (GotFetch& fetch : got) fetch.time.seconds -= seconds;
  for (std::vector<GotFetch>* all : {&expected, &got}) {
    for (GotFetch& fetch : *all) {
      for (GotMetric& metric : fetch.metrics) {
        for (GotValue& value : metric.values) {
          if (IsEvent(value.type)) value.opaque.clear();
        }
      }
    }
  }
  return Difference(expected, got);
}

// A mark that stands in front of the record with this number.
struct NewMark {
  std::size_t record = 0;
  Timestamp time;
  double at = 0;
};

// Not after the last record: the end of the archive stays.
NewMark AnyMark(const AnyArchive& archive, Random& random) {
  const std::vector<Timestamp> times = TimesOfRecords(archive);
  NewMark mark{static_cast<std::size_t>(random.Below(times.size())), {}, 0};
  const Timestamp behind = mark.record == 0 ? archive.plan().label.start : times[mark.record - 1];
  const std::int64_t gap = NanosecondsBetween(behind, times[mark.record]);
  const std::int64_t after = gap < 0 ? random.Between(gap, 0) : random.Between(0, gap);
  mark.time = behind + (random.Chance(1, 4) ? 0 : random.Chance(1, 4) ? gap : after);
  if (archive.plan().label.version == 2) {
    mark.time.nanoseconds -= mark.time.nanoseconds % 1000;
  }
  return mark;
}

ArchivePlan With(const NewMark& mark, const ArchivePlan& plan) {
  ArchivePlan marked = DropIndex(plan);
  std::size_t number = mark.record;
  for (auto& [volume, results] : marked.volumes) {
    if (number < results.size()) {
      results.insert(results.begin() + static_cast<std::ptrdiff_t>(number), {mark.time, {}});
      return marked;
    }
    number -= results.size();
  }
  return marked;
}

// What a mark does to one instance (INT-701, test idea 52): nothing before the observation in front
// of it and after the one after it. Between them there is no value, but of a DISCRETE metric,
// which in front of the mark has that of the former; no rule chooses the latter there any more
// (INT-502).
std::string WrongBeside(const NewMark& mark, const std::vector<NaiveBound>& events, double t,
                        Semantics semantics, const GotValue* without, const GotValue* with) {
  const NaiveBound* before = nullptr;
  const NaiveBound* after = nullptr;
  for (const NaiveBound& event : events) {
    if (!event.IsValue()) continue;
    const bool is_before =
        event.at < mark.at || (event.at == mark.at && event.record < mark.record);
    if (is_before && (before == nullptr || event.at >= before->at)) before = &event;
    if (!is_before && (after == nullptr || event.at < after->at)) after = &event;
  }
  const bool beyond = after != nullptr && t >= after->at;
  const bool still_before =
      before == nullptr ? t < mark.at : t < before->at || (t == before->at && t < mark.at);
  if (beyond || still_before) {
    const bool same =
        (without == nullptr) == (with == nullptr) && (without == nullptr || *without == *with);
    return same ? "" : "changed by a mark that is not beside it";
  }
  if (semantics == Semantics::kDiscrete && t < mark.at && without != nullptr && before != nullptr) {
    return with != nullptr && IsStored(*with, *before) ? "" : "not the value in front of the mark";
  }
  return with == nullptr ? "" : "a value across the mark";
}

std::string AMarkDoesMore(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                          const Replay& replay) {
  Random random(seed);
  if (TimesOfRecords(archive).empty()) return "";
  const NaiveSearch search(archive.plan());
  NewMark mark = AnyMark(archive, random);
  mark.at = search.Relative(mark.time);
  const OpenedArchive opened = Open(archive.plans);
  const OpenedArchive marked = Open({With(mark, archive.plan())});
  if (!opened.archive || !marked.archive) return opened.error + marked.error;
  const Asked asked = AnyOneByOne(archive, *opened.archive, random);
  const std::vector<GotFetch> without = RealReplay(*opened.archive, asked, profile);
  const std::vector<GotFetch> with = replay(*marked.archive, asked, profile);
  for (std::size_t i = 0; i < without.size(); ++i) {
    if (without[i].status != with[i].status) return "a mark in the middle changes the end";
    for (std::size_t m = 0; m < without[i].metrics.size(); ++m) {
      const GotMetric& one = without[i].metrics[m];
      const GotMetric& other = with[i].metrics[m];
      if (one.status != ErrorCode::kOk) continue;
      for (const std::int32_t instance : search.Candidates(one.pmid)) {
        const std::string wrong =
            WrongBeside(mark, search.Events(one.pmid, instance), search.Relative(asked.times[i]),
                        search.metrics().at(one.pmid).semantics, ValueOf(one, instance),
                        ValueOf(other, instance));
        if (wrong.empty()) continue;
        return "mark at " + ToEpochText(mark.time) + " before record " +
               std::to_string(mark.record) + ", [" + std::to_string(instance) + "] at " +
               ToEpochText(asked.times[i]) + ": " + wrong + "\n" + ToText(one) + "\n" +
               ToText(other);
      }
    }
  }
  return "";
}

RC_GTEST_PROP(ReplayValuesTest, ValuesFollowFromTheBounds, ()) {
  Holds(ArchivesToReplay(), ValuesAreOthers);
}

RC_GTEST_PROP(ReplayValuesTest, TheEpochMakesNoDifference, ()) {
  Holds(ArchivesToReplay(), TheEpochMatters);
}

RC_GTEST_PROP(ReplayValuesTest, AMarkOnlyTakesAwayWhatIsBesideIt, ()) {
  Holds(ArchivesToReplay(), AMarkDoesMore);
}

// Rules that are wrong, each in one way.
class ChoosesTheEarlier final : public replay::PcpLegacy {
 public:
  std::string_view name() const override { return "pcp-6.3.2"; }
};

class ChoosesByRoundedMiddle final : public replay::Rule {
 public:
  std::string_view name() const override { return "documented"; }
  replay::ProfileTraits traits() const override { return replay::Documented().traits(); }

 protected:
  replay::Answer Choose(const replay::Bounds& bounds,
                        const replay::Question& question) const override {
    const bool earlier = question.t < (bounds.prior.moment.at + bounds.next.moment.at) / 2;
    return {replay::Answer::Kind::kValue, earlier ? bounds.prior.value : bounds.next.value, {}};
  }
  replay::Answer Line(const replay::Bounds& bounds, const replay::Question&) const override {
    return {replay::Answer::Kind::kValue, bounds.prior.value, {}};
  }
};

class OvershootsItsLine final : public replay::PcpLegacy {
 protected:
  replay::Answer Line(const replay::Bounds& bounds,
                      const replay::Question& question) const override {
    replay::Answer answer = PcpLegacy::Line(bounds, question);
    if (question.type == MetricType::kU32) ++answer.value.bits;
    return answer;
  }
};

class GoesOnBehindAMark final : public replay::PcpLegacy {
 public:
  replay::Answer At(const replay::Bounds& bounds, const replay::Question& question) const override {
    if (bounds.prior.IsValue()) return {replay::Answer::Kind::kValue, bounds.prior.value, {}};
    return PcpLegacy::At(bounds, question);
  }
};

class HasNoLifetimes final : public replay::PcpLegacy {
 public:
  replay::ProfileTraits traits() const override {
    replay::ProfileTraits traits;
    traits.lifetimes = false;
    return traits;
  }
};

TEST(ReplayValuesTest, RulesThatAreWrongAreCaught) {
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), ValuesAreOthers, RealReplay, {ChoosesTheEarlier()}));
  EXPECT_TRUE(
      IsCaught(ArchivesToReplay(), ValuesAreOthers, RealReplay, {ChoosesByRoundedMiddle()}));
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), ValuesAreOthers, RealReplay, {OvershootsItsLine()}));
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), ValuesAreOthers, RealReplay, {GoesOnBehindAMark()}));
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), ValuesAreOthers, RealReplay, {HasNoLifetimes()}));
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), AMarkDoesMore, RealReplay, {GoesOnBehindAMark()}));
}

TEST(ReplayValuesTest, TimesAsNumbersOfSecondsSince1970AreCaught) {  // INT-201
  const auto rounded = [](const ReplayArchive& archive, Asked asked, const Profile& profile) {
    for (Timestamp& time : asked.times) {
      const double seconds = static_cast<double>(time.seconds) + time.nanoseconds / 1e9;
      time.seconds = static_cast<std::int64_t>(std::floor(seconds));
      time.nanoseconds = static_cast<std::int32_t>((seconds - std::floor(seconds)) * 1e9);
    }
    return RealReplay(archive, asked, profile);
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), TheEpochMatters, rounded));
}

}  // namespace
}  // namespace pmproof::validator::testing
