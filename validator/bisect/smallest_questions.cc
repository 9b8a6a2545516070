// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/bisect/plan_question.h"
#include "validator/bisect/questions.h"

namespace pmproof::validator {
namespace {

using namespace replay::testing;  // NOLINT: the words of plans

// One metric of each semantics, 1 to 3.
Plan OneOfEach() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kInstant)
      .Metric(3, MetricType::kU32, Semantics::kDiscrete)
      .Metric(9, MetricType::kU32, Semantics::kInstant);
  return plan;
}

std::vector<archive::ValueSetModel> EachOf(std::uint32_t value) {
  return {U32(1, value), U32(2, value), U32(3, value)};
}

PlanQuestion MarksUnseenInPlacing() {  // DEV-01
  Plan plan = OneOfEach();
  plan.Record(0, EachOf(10))
      .Record(10, EachOf(20))
      .Mark(11)
      .Record(20, EachOf(100))
      .Record(30, EachOf(110))
      .Record(40, EachOf(120))
      .Index({0, 5});
  return PlanQuestion(plan, {1, 2, 3}).From(15, -1).Fetch();
}

PlanQuestion ValueOfAMark() {  // DEV-02
  Plan plan = OneOfEach();
  plan.Record(0, EachOf(7)).Record(10, EachOf(8)).Mark(15).Record(20, EachOf(9));
  return PlanQuestion(plan, {3}).From(11, 4).Fetch(3);
}

PlanQuestion StaleNextBound() {  // DEV-03
  Plan plan = OneOfEach();
  plan.Record(0, EachOf(1)).Record(10, EachOf(2)).Record(20, EachOf(3)).Record(60, {U32(9, 1)});
  return PlanQuestion(plan, {3}).From(5, 20).Fetch(3);
}

PlanQuestion OpaqueOfBefore() {  // DEV-04
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kInstant)
      .Record(0, {Text(1, "s0")})
      .Record(10, {Text(1, "s10")})
      .Record(20, {Text(1, "s20")});
  return PlanQuestion(plan, {1}).From(0, 5).Fetch(5);
}

Plan TwoCountersAcrossAMark() {
  const auto both = [](std::uint32_t value) {
    return std::vector<archive::ValueSetModel>{U32(1, value), U32(2, value)};
  };
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter)
      .Metric(2, MetricType::kU32, Semantics::kCounter)
      .Record(0, both(10))
      .Record(10, both(20))
      .Mark(10.001)
      .Record(20, both(100))
      .Record(30, both(110));
  return plan;
}

PlanQuestion MarksOfOneRequest() {  // DEV-06
  return PlanQuestion(TwoCountersAcrossAMark(), {1, 2})
      .From(5, 7)
      .FetchOf({0})
      .FetchOf({1})
      .FetchOf({0});
}

PlanQuestion KeptMemory() {  // DEV-07, 6.x
  return PlanQuestion(TwoCountersAcrossAMark(), {1}).From(5, 1).Fetch().From(25, 1).Fetch();
}

PlanQuestion KeptMemoryOfAnother() {  // DEV-07
  return PlanQuestion(TwoCountersAcrossAMark(), {1, 2})
      .From(25, 1)
      .Fetch()
      .From(5, 20)
      .FetchOf({0})
      .Fetch();
}

PlanQuestion SizeOfOpenVolume() {  // DEV-17
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter);
  plan.Record(0, {U32(1, 10)}).Record(1, {U32(1, 20)}).Index({0, 1});
  plan.Volume(1).Record(2, {U32(1, 30)}).Mark(2.5);
  plan.Volume(2).Record(3, {U32(1, 40)}).Record(4, {U32(1, 50)}).Record(4.5, {U32(1, 60)});
  archive::ArchiveModel& model = plan.model();
  archive::Buffer bytes;
  archive::AppendLabel(model.volumes[2].label, &bytes);
  model.index->records.push_back({At(2), 1, 808, bytes.size()});
  model.index->records.push_back({At(3), 2, 808, bytes.size()});
  for (const std::size_t record : {0U, 1U}) {
    archive::AppendResult(model.volumes[2].records[record], 3, &bytes);
  }
  model.index->records.push_back({At(4.5), 2, 808, bytes.size()});
  return PlanQuestion(plan, {1}).From(1.5, 0.1).Fetch().From(4, 0.1).Fetch();
}

// What DEV-17 changes is where the search starts: that shows by DEV-01, or by DEV-07 above.
PlanQuestion SizeOfOpenVolumeBackward() {
  Plan plan = OneOfEach();
  plan.Record(0, EachOf(10)).Record(1, EachOf(20)).Index({0, 1});
  plan.Volume(1).Record(3, EachOf(30)).Mark(3.5).Record(4, EachOf(50)).Record(4.5, EachOf(60));
  archive::ArchiveModel& model = plan.model();
  archive::Buffer bytes;
  archive::AppendLabel(model.volumes[1].label, &bytes);
  for (const std::size_t record : {0U, 1U, 2U}) {
    archive::AppendResult(model.volumes[1].records[record], 3, &bytes);
  }
  model.index->records.push_back({At(4.5), 1, 808, bytes.size()});
  return PlanQuestion(plan, {1, 2, 3}).From(0.5, 0.1).Fetch().From(3.8, -0.1).Fetch();
}

PlanQuestion CountedError() {  // DEV-18
  Plan plan;
  plan.Metric(1, MetricType::kString, Semantics::kCounter, kIndom).Domain(0, {0, 1, 2});
  archive::ValueSetModel set = Text(1, "x");
  set.values.push_back(set.values.front());
  set.values[0].instance = 1;
  set.values[1].instance = 2;
  plan.Record(0, {set}).Record(10, {set});
  return PlanQuestion(plan, {1}).From(5, 1).Fetch();
}

PlanQuestion RecordsOfOneTime() {  // DEV-27
  Plan plan = OneOfEach();
  plan.Record(0, {U32(9, 1)})
      .Record(10, {U32(1, 10)})
      .Record(10, {U32(2, 20)})
      .Record(20, {U32(2, 30)});
  return PlanQuestion(plan, {1, 2}).From(20, -10).Fetch(2);
}

PlanQuestion IndexThatBeginsLate() {  // DEV-28
  Plan plan = OneOfEach();
  plan.Record(0, EachOf(10))
      .Record(10, EachOf(20))
      .Record(20, EachOf(100))
      .Record(30, EachOf(110))
      .Index({2});
  return PlanQuestion(plan, {1}).From(0, 5).Fetch(5);
}

// The rules themselves: which of two observations, a counter between them.
PlanQuestion PlainValues() {
  Plan plan = OneOfEach();
  plan.Record(0, EachOf(10)).Record(10, EachOf(21)).Record(20, EachOf(100));
  return PlanQuestion(plan, {1, 2, 3}).From(0, 3).Fetch(8);
}

}  // namespace

std::vector<Question> SmallestQuestions() {
  std::vector<Question> questions;
  for (const auto make :
       {PlainValues, MarksUnseenInPlacing, ValueOfAMark, StaleNextBound, OpaqueOfBefore,
        MarksOfOneRequest, KeptMemory, KeptMemoryOfAnother, SizeOfOpenVolume,
        SizeOfOpenVolumeBackward, CountedError, RecordsOfOneTime, IndexThatBeginsLate}) {
    if (std::optional<Question> question = make().Done()) questions.push_back(*std::move(question));
  }
  return questions;
}

}  // namespace pmproof::validator
