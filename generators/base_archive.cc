// SPDX-License-Identifier: Apache-2.0
// The archives that the specification gives in full: the base archive of its mutations (ARC-1000)
// and the worked examples (ARC-680, ARC-681).

#include <bit>
#include <string>
#include <utility>

#include "generators/archive_image.h"
#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

using archive::BlockModel;
using archive::DescModel;
using archive::IndomModel;
using archive::LabelEntryModel;
using archive::LabelRecordModel;
using archive::LabelSetModel;
using archive::ResultModel;
using archive::TextModel;
using archive::ValueModel;
using archive::ValueSetModel;

BlockModel Block(MetricType type, std::string payload) {
  return {static_cast<std::uint8_t>(type), std::move(payload), std::nullopt};
}

BlockModel Block64(MetricType type, std::uint64_t bits) {
  return Block(
      type, BigEndian({static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)}));
}

ValueSetModel Singular(std::uint32_t item, std::variant<std::uint32_t, BlockModel> value) {
  const std::int32_t format = value.index() == 0 ? archive::kInsitu : archive::kDynamic;
  return {Pmid::Of(29, 0, item), format, {{kInstanceNull, std::move(value)}}, 0};
}

DescModel Desc(std::uint32_t item, std::string name, MetricType type, Semantics semantics,
               std::uint32_t units = 0, Indom indom = Indom::Null()) {
  return {{Pmid::Of(29, 0, item), type, indom, semantics, Units{units}}, {std::move(name)}};
}

LabelRecordModel ContextLabel(Timestamp time, const std::string& host) {
  const std::string value = "\"" + host + "\"";
  LabelSetModel set;
  set.json = "{\"hostname\":" + value + "}";
  set.entries = {{2, 8, 1, 12, static_cast<std::uint16_t>(value.size())}};
  return {time, static_cast<std::uint32_t>(LabelClass::kContext), 0xffffffff, {set}};
}

ResultModel BaseResult(int k) {
  const auto u = static_cast<std::uint32_t>(k);
  const auto now = static_cast<std::uint32_t>(kBaseTime + k);
  ResultModel result;
  result.time = {kBaseTime + k, 0};
  result.sets.push_back(Singular(1, 1000 + 10 * u));
  result.sets.push_back(
      Singular(2, Block64(MetricType::k64, static_cast<std::uint64_t>(std::int64_t{k} - 5))));
  result.sets.push_back(
      Singular(3, Block(MetricType::kString, "hello" + std::to_string(k) + std::string(1, '\0'))));
  result.sets.push_back(
      Singular(4, Block(MetricType::kFloat,
                        BigEndian({std::bit_cast<std::uint32_t>(1.5F + static_cast<float>(k))}))));
  result.sets.push_back(
      Singular(5, Block64(MetricType::kDouble, std::bit_cast<std::uint64_t>(2.25 * k))));
  ValueSetModel instances{Pmid::Of(29, 0, 6), archive::kInsitu, {}, 0};
  for (const std::int32_t instance : {0, k < 3 ? 1 : 2}) {
    instances.values.push_back({instance, 7 * static_cast<std::uint32_t>(instance) + u});
  }
  result.sets.push_back(std::move(instances));
  result.sets.push_back(Singular(7, Block(MetricType::kAggregate, "\x01\x02\x03\x04\x05")));
  result.sets.push_back(Singular(
      8, Block(MetricType::kEvent,
               BigEndian({2, now, 5, 1, 1, 0x07400009, 0x01000008, 77, now, 6, 0x80000000, 3}))));
  result.sets.push_back(
      Singular(10, Block(MetricType::kHighresEvent,
                         BigEndian({1, 0, now, 0, 5, 1, 1, 0x07400009, 0x01000008, 78}))));
  return result;
}

}  // namespace

ArchivePlan BaseArchive(int version) {
  const Timestamp start{kBaseTime, 0};
  const Indom indom = Indom::Of(29, 1);
  ArchivePlan plan;
  plan.label.version = version;
  plan.label.pid = 4242;
  plan.label.start = start;
  plan.label.host = "testhost";
  plan.label.timezone = "UTC";
  if (version == 3) plan.label.zoneinfo = ":UTC";

  plan.meta.push_back(Desc(1, "m.cnt", MetricType::kU32, Semantics::kCounter, 0x00100000));
  plan.meta.push_back(Desc(2, "m.i64", MetricType::k64, Semantics::kInstant));
  plan.meta.push_back(Desc(3, "m.str", MetricType::kString, Semantics::kDiscrete));
  plan.meta.push_back(Desc(4, "m.flt", MetricType::kFloat, Semantics::kInstant));
  plan.meta.push_back(Desc(5, "m.dbl", MetricType::kDouble, Semantics::kInstant));
  plan.meta.push_back(Desc(6, "m.inst", MetricType::kU32, Semantics::kInstant, 0x10010000, indom));
  plan.meta.push_back(IndomModel{start, indom, {{0, "a"}, {1, "b"}}, false});
  plan.meta.push_back(Desc(7, "m.agg", MetricType::kAggregate, Semantics::kInstant));
  plan.meta.push_back(Desc(8, "m.ev", MetricType::kEvent, Semantics::kInstant));
  plan.meta.push_back(Desc(9, "m.evp", MetricType::kU32, Semantics::kInstant));
  plan.meta.push_back(Desc(10, "m.hev", MetricType::kHighresEvent, Semantics::kInstant));
  plan.meta.push_back(ContextLabel(start, "testhost"));
  LabelSetModel with_label;
  with_label.instance = 0;
  with_label.json = "{\"k\":\"A\"}";
  with_label.entries = {{2, 1, 0x20, 5, 3}};
  LabelSetModel without;
  without.instance = 1;
  plan.meta.push_back(LabelRecordModel{start, 32, indom.value, {with_label, without}});
  plan.meta.push_back(TextModel{5, Pmid::Of(29, 0, 1).value, "one line"});
  plan.meta.push_back(TextModel{6, Pmid::Of(29, 0, 1).value, "long\nhelp"});
  plan.meta.push_back(TextModel{9, indom.value, "indom one line"});
  const Timestamp change{kBaseTime + 3, 0};
  if (version == 3) {
    plan.meta.push_back(IndomModel{change, indom, {{1, std::nullopt}, {2, "c"}}, true});
  } else {
    plan.meta.push_back(IndomModel{change, indom, {{0, "a"}, {2, "c"}}, false});
  }

  for (int k = 0; k < 6; ++k) plan.volumes[0].push_back(BaseResult(k));
  plan.index = {{start, 0, 0, 0},
                {change, 0, plan.meta.size() - 1, 3},
                {{kBaseTime + 5, 0}, 0, plan.meta.size(), 5}};
  return plan;
}

ArchivePlan WorkedExample(int version) {
  const Timestamp start{1700000000, 500'000'000};
  const Timestamp second{1700000001, 500'000'000};
  const Indom indom = Indom::Of(29, 1);
  ArchivePlan plan;
  plan.label.version = version;
  plan.label.pid = 1234;
  plan.label.start = start;
  plan.label.host = "h";
  plan.label.timezone = "UTC";
  if (version == 3) plan.label.zoneinfo = ":UTC";

  plan.meta.push_back(Desc(1, "m.one", MetricType::kU32, Semantics::kInstant));
  plan.meta.push_back(Desc(2, "m.str", MetricType::kString, Semantics::kDiscrete));
  DescModel in = Desc(3, "m.in", MetricType::kU64, Semantics::kCounter, 0x10010000, indom);
  in.names.emplace_back("n.in");
  plan.meta.push_back(in);
  plan.meta.push_back(Desc(11, "m.x10", MetricType::k32, Semantics::kInstant));
  plan.meta.push_back(Desc(10, "m.x9", MetricType::k32, Semantics::kInstant));
  plan.meta.push_back(IndomModel{start, indom, {{0, "a"}, {1, "bc"}}, false});
  plan.meta.push_back(ContextLabel(start, "h"));
  plan.meta.push_back(TextModel{5, Pmid::Of(29, 0, 1).value, "one"});
  if (version == 3) {
    plan.meta.push_back(IndomModel{second, indom, {{1, std::nullopt}, {2, "d"}}, true});
  } else {
    plan.meta.push_back(IndomModel{second, indom, {{0, "a"}, {2, "d"}}, false});
  }

  for (const Timestamp time : {start, second}) {
    ResultModel result;
    result.time = time;
    result.sets.push_back(Singular(1, 7U));
    result.sets.push_back(Singular(2, Block(MetricType::kString, std::string("hi\0", 3))));
    ValueSetModel in_set{Pmid::Of(29, 0, 3), archive::kDynamic, {}, 0};
    in_set.values.push_back({0, Block64(MetricType::kU64, 5)});
    in_set.values.push_back({time == start ? 1 : 2, Block64(MetricType::kU64, 1099511627776)});
    result.sets.push_back(in_set);
    result.sets.push_back({Pmid::Of(29, 0, 10), 0, {}, -12350});
    result.sets.push_back({Pmid::Of(29, 0, 11), 0, {}, 0});
    plan.volumes[0].push_back(result);
  }
  plan.volumes[0].push_back({second + 1'000'000, {}});
  plan.index = {{start, 0, 0, 0}, {second, 0, plan.meta.size() - 1, 1}};
  return plan;
}

}  // namespace pmproof::generators
