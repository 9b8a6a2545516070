// SPDX-License-Identifier: Apache-2.0
// The rules of section 5 on the worked examples of section 15 of reference/spec/interpolation.md.

#include "reference/replay/profiles.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/replay/examples/nearest_within.h"

namespace pmproof::replay {
namespace {

constexpr std::uint32_t kCounter[] = {610, 720, 1020, 1020, 1020, 1050, 1100, 1200, 1210};
constexpr std::uint32_t kGauge[] = {400, 880, 650, 1120, 1120, 940, 580, 1200, 850};

Moment At(double t, std::uint64_t record) {
  const auto nanoseconds = static_cast<std::int64_t>(t * 1e9 + (t < 0 ? -0.5 : 0.5));
  return {t, Timestamp{} + nanoseconds, record};
}

// One metric of type U32 in an archive that starts at 0.
struct Archive {
  Semantics semantics = Semantics::kInstant;
  std::vector<Observation> observations;
  std::vector<Barrier> marks;
  std::uint64_t records = 0;

  Archive& Value(double t, std::uint32_t value) {
    observations.push_back({At(t, records++), Value::Of(value)});
    return *this;
  }
  Archive& Mark(double t) {
    marks.push_back({At(t, records++), Bound::Kind::kMark});
    return *this;
  }

  // "-" for none.
  std::string At0(const Profile& profile, double t) const {
    const Answer answer = profile->At(FindBounds(observations, marks, t),
                                      {At(t, 0).time, t, MetricType::kU32, semantics});
    if (answer.kind == Answer::Kind::kTypeError) return "TYPE";
    return answer.kind == Answer::Kind::kValue ? std::to_string(answer.value.AsU32()) : "-";
  }

  std::string Every(const Profile& profile, double step, double last) const {
    std::string text;
    for (int k = 0; k * step <= last; ++k) {
      text += (k == 0 ? "" : " ") + At0(profile, k * step);
    }
    return text;
  }
};

template <std::size_t N>
Archive Seed(Semantics semantics, const std::uint32_t (&values)[N]) {
  Archive archive{semantics, {}, {}, 1};
  for (std::size_t k = 0; k < N; ++k) archive.Value(10.0 * static_cast<double>(k + 1), values[k]);
  return archive;
}

TEST(SeedExamples, CounterEvery25Seconds) {  // INT-1501
  for (const Profile& profile : NamedProfiles()) {
    EXPECT_EQ(Seed(Semantics::kCounter, kCounter).Every(profile, 25, 99), "- 870 1020 1150");
  }
}

TEST(SeedExamples, CounterEvery3Seconds) {  // INT-1502
  EXPECT_EQ(
      Seed(Semantics::kCounter, kCounter).Every(Pcp632(), 3, 99),
      "- - - - 632 665 698 750 840 930 1020 1020 1020 1020 1020 1020 1020 1023 1032 1041 1050 "
      "1065 1080 1095 1120 1150 1180 1201 1204 1207 1210 - - -");
}

TEST(SeedExamples, InstantEvery15SecondsHasTiesThatGoToTheEarlierValue) {  // INT-1503
  for (const Profile& profile : NamedProfiles()) {
    EXPECT_EQ(Seed(Semantics::kInstant, kGauge).Every(profile, 15, 99),
              "- 400 650 1120 940 580 850");
  }
}

constexpr char kDiscrete632[] =
    "- - - 400 880 880 880 650 650 1120 1120 1120 1120 1120 940 940 940 580 580 1200 1200 1200 850 "
    "850 850";

TEST(SeedExamples, DiscreteEvery4SecondsSince632) {  // INT-1504
  EXPECT_EQ(Seed(Semantics::kDiscrete, kGauge).Every(Pcp632(), 4, 99), kDiscrete632);
  EXPECT_EQ(Seed(Semantics::kDiscrete, kGauge).Every(Documented(), 4, 99), kDiscrete632);
}

TEST(SeedExamples, DiscreteEvery4SecondsBefore632) {  // INT-1505
  EXPECT_EQ(Seed(Semantics::kDiscrete, kGauge).Every(PcpLegacy(), 4, 99),
            "- - - 400 400 880 880 880 650 650 1120 1120 1120 1120 1120 940 940 940 580 580 1200 "
            "1200 1200 850 850");
}

TEST(SeedExamples, InstantEvery4SecondsEndsWithTheLastObservation) {  // INT-1506
  EXPECT_EQ(Seed(Semantics::kInstant, kGauge).Every(Pcp632(), 4, 99),
            "- - - 400 880 880 880 650 650 1120 1120 1120 1120 1120 940 940 940 580 580 1200 1200 "
            "1200 850 - -");
}

TEST(SeedExamples, InstantEvery5Seconds) {  // INT-1507
  for (const Profile& profile : NamedProfiles()) {
    EXPECT_EQ(Seed(Semantics::kInstant, kGauge).Every(profile, 5, 99),
              "- - 400 400 880 880 650 650 1120 1120 1120 1120 940 940 580 580 1200 1200 850 -");
  }
}

Archive Marked(Semantics semantics) {
  return Archive{semantics, {}, {}, 0}.Value(0, 10).Value(10, 20).Mark(10.001).Value(20, 100).Value(
      30, 110);
}

TEST(MarkExample, HasNoValuesInTheGap) {  // INT-1521..1531
  const double times[] = {0, 5, 9.9, 10, 10.0005, 10.001, 15, 20, 25, 26, 30};
  const auto row = [&times](Semantics semantics, const Profile& profile) {
    std::string text;
    for (const double t : times) text += Marked(semantics).At0(profile, t) + " ";
    return text;
  };
  EXPECT_EQ(row(Semantics::kCounter, Pcp632()), "10 15 20 20 - - - 100 105 106 110 ");
  EXPECT_EQ(row(Semantics::kInstant, PcpLegacy()), "10 10 10 20 - - - 100 100 100 110 ");
  EXPECT_EQ(row(Semantics::kInstant, Pcp632()), "10 10 20 20 - - - 100 100 110 110 ");
  EXPECT_EQ(row(Semantics::kDiscrete, PcpLegacy()), "10 10 10 20 20 - - 100 100 100 110 ");
  EXPECT_EQ(row(Semantics::kDiscrete, Pcp632()), "10 10 20 20 20 - - 100 100 110 110 ");
}

TEST(Pcp632, ComputesTheMiddleInDouble) {  // INT-503
  const Archive archive = Archive{}.Value(0.001, 1).Value(0.009, 2);
  EXPECT_EQ(archive.At0(Pcp632(), 0.005), "2");
  EXPECT_EQ(archive.At0(Pcp632(), 0.004999999), "1");
  EXPECT_EQ(archive.At0(Documented(), 0.005), "1");
  EXPECT_EQ(archive.At0(PcpLegacy(), 0.005), "1");
}

TEST(AnyRule, DrawsOtherSemanticsAsALine) {  // INT-505
  for (const int semantics : {0, 2, 5}) {
    const Archive archive =
        Archive{static_cast<Semantics>(semantics), {}, {}, 0}.Value(0, 10).Value(10, 20);
    EXPECT_EQ(archive.At0(Pcp632(), 4), "14");
  }
}

struct Text {
  std::string bytes;
  Value value(MetricType type = MetricType::kString) const {
    return {type, false, 0,
            Bytes(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size())};
  }
};

TEST(AnyRule, ChoosesOpaqueValuesAsItsProfileSays) {  // INT-504, INT-1203
  const Text early{"early"};
  const Text late{"late"};
  const std::vector<Observation> seen = {{At(0, 0), early.value()}, {At(10, 1), late.value()}};
  const Question at_9{At(9, 0).time, 9, MetricType::kString, Semantics::kInstant};
  EXPECT_EQ(Profile(PcpLegacy())->At(FindBounds(seen, {}, 9), at_9).value, early.value());
  EXPECT_EQ(Profile(Pcp632())->At(FindBounds(seen, {}, 9), at_9).value, early.value());
  EXPECT_EQ(Profile(Documented())->At(FindBounds(seen, {}, 9), at_9).value, late.value());
}

TEST(AnyRule, RefusesOpaqueCountersThatAreBounded) {  // INT-405, INT-406
  const Text text{"x"};
  const std::vector<Observation> seen = {{At(0, 0), text.value()}, {At(10, 1), text.value()}};
  for (const double t : {0.0, 5.0, 10.0}) {
    const Question question{At(t, 0).time, t, MetricType::kString, Semantics::kCounter};
    EXPECT_EQ(Profile(Pcp632())->At(FindBounds(seen, {}, t), question).kind,
              Answer::Kind::kTypeError);
  }
  const Question later{At(11, 0).time, 11, MetricType::kString, Semantics::kCounter};
  EXPECT_EQ(Profile(Pcp632())->At(FindBounds(seen, {}, 11), later).kind, Answer::Kind::kNone);
}

TEST(ARuleOfOnesOwn, IsAValueLikeTheOthers) {
  EXPECT_EQ(Seed(Semantics::kInstant, kGauge).Every(NearestWithin(2), 4, 99),
            "- - - 400 - 880 - 650 650 - 1120 - 1120 1120 - 940 - 580 580 - 1200 - 850 - -");
}

}  // namespace
}  // namespace pmproof::replay
