// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/random_agent.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace pmproof::generators {
namespace {

using Names = AgentWish::Names;

constexpr std::string_view kWords[] = {"amber",   "basalt", "cobalt", "dolomite", "emerald",
                                       "flint",   "garnet", "halite", "iolite",   "jade",
                                       "kyanite", "lapis",  "mica",   "nickel",   "onyx",
                                       "pyrite",  "quartz", "ruby",   "slate",    "topaz"};

// Dimensions with scales that exist; 0 where there is no dimension (CKA-031).
constexpr std::uint32_t kUnits[] = {
    0x00000000,  // none
    0x10000000,  // byte
    0x10010000,  // KiB
    0x01000000,  // ns
    0x01003000,  // s
    0x00100000,  // count
    0x0f103000,  // count / s
    0x1f013000,  // KiB / s
    0x00100300,  // count x 10^3
};

constexpr MetricType kTypes[] = {
    MetricType::k32,    MetricType::kU32,          MetricType::k64,       MetricType::kU64,
    MetricType::kFloat, MetricType::kDouble,       MetricType::kString,   MetricType::kAggregate,
    MetricType::kEvent, MetricType::kHighresEvent, MetricType::kNoSupport};

// What a complete agent has, in this order. The first is what checks probe with, and no fault that
// is confined to one metric is put into it.
struct Part {
  MetricType type;
  bool instances;
  Semantics semantics = Semantics::kInstant;
  bool writable = false;
  bool available = true;
};
constexpr Part kParts[] = {
    {MetricType::kU32, false, Semantics::kDiscrete},
    {MetricType::kU64, false, Semantics::kCounter},
    {MetricType::kU32, false, Semantics::kCounter},
    {MetricType::kDouble, false},
    {MetricType::kFloat, false},
    {MetricType::k64, false},
    {MetricType::kString, false, Semantics::kDiscrete},
    {MetricType::kAggregate, false},
    {MetricType::kEvent, false},
    {MetricType::kHighresEvent, false},
    {MetricType::kNoSupport, false},
    {MetricType::kU32, true},
    {MetricType::kString, true},
    {MetricType::kU64, true, Semantics::kCounter},
    {MetricType::kU32, false, Semantics::kInstant, true},
    {MetricType::kDouble, false, Semantics::kInstant, true},
    {MetricType::kString, false, Semantics::kDiscrete, true},
    {MetricType::k32, true, Semantics::kInstant, true},
    {MetricType::k32, false, Semantics::kInstant, false, false},
};

bool Fits(const MetricModel& metric, const Part& part) {
  return metric.type == part.type && metric.indom.has_value() == part.instances &&
         (part.type == MetricType::kNoSupport || metric.semantics == part.semantics) &&
         metric.writable == part.writable &&
         (metric.unavailable == ErrorCode::kOk) == part.available;
}

std::string Word(Random& random) { return std::string(random.Pick(kWords)); }

HelpTexts SomeHelp(Random& random) {
  return {Word(random) + " of " + Word(random),
          "How much " + Word(random) + " there is,\nand how much " + Word(random) + "."};
}

std::string SomeLabels(Random& random) {
  std::string json = "{\"" + Word(random) + "\":\"" + Word(random) + "\"";
  if (random.Chance(1, 2))
    json += ",\"" + Word(random) + "_n\":" + std::to_string(random.Below(99));
  return json + "}";
}

class Maker {
 public:
  Maker(Random& random, const AgentWish& wish) : random_(random), wish_(wish) {}

  AgentModel Make() {
    model_.name = Word(random_);
    model_.domain = static_cast<std::uint32_t>(random_.Between(1, 510));
    static constexpr std::uint16_t kFeatures[] = {0, 0x04, 0x40, 0x44};
    model_.features = wish_.no_features ? std::uint16_t{0} : random_.Pick(kFeatures);
    model_.labelled = wish_.complete || random_.Chance(4, 5);
    model_.readiness = wish_.readiness;
    model_.seed = random_.Next();
    dynamic_ =
        wish_.dynamic == Names::kSome || (wish_.dynamic == Names::kAny && random_.Chance(1, 2));
    cluster_ = static_cast<std::uint32_t>(random_.Below(8));
    AddIndoms();
    if (wish_.complete) {
      for (const Part& part : kParts) AddPart(part);
    } else {
      AddPart(kParts[0]);
    }
    const std::size_t more = random_.Below(wish_.most_metrics + 1);
    for (std::size_t i = 0; i < more; ++i) AddAny();
    if (wish_.dynamic == Names::kSome) MakeTwoDynamic();
    AddLabels();
    return std::move(model_);
  }

 private:
  bool Some() { return wish_.complete || random_.Chance(1, 2); }

  void AddIndoms() {
    const std::size_t count = wish_.complete ? 1 + random_.Below(3) : random_.Below(4);
    std::uint32_t serial = static_cast<std::uint32_t>(random_.Below(3));
    for (std::size_t i = 0; i < count; ++i) {
      IndomModel indom{.serial = serial};
      serial += 1 + static_cast<std::uint32_t>(random_.Below(100));
      // The first of a complete agent is the one that its metrics are of.
      const std::size_t least = wish_.complete && i == 0 ? (wish_.changing ? 4 : 3) : 0;
      const std::size_t size = least + random_.Below(6);
      std::int32_t number = static_cast<std::int32_t>(random_.Below(3));
      for (std::size_t j = 0; j < size; ++j) {
        std::string name = Word(random_) + std::to_string(j);
        if (j == 1 || random_.Chance(1, 4)) name += " " + Word(random_) + " " + Word(random_);
        indom.instances.push_back(
            {number, std::move(name), Some() ? SomeLabels(random_) : std::string()});
        number += 1 + static_cast<std::int32_t>(random_.Chance(1, 8) ? random_.Below(1U << 20)
                                                                     : random_.Below(4));
      }
      if (Some()) indom.help = SomeHelp(random_);
      if (Some()) indom.labels = SomeLabels(random_);
      if (wish_.complete ? wish_.changing : random_.Chance(1, 3)) LetChange(&indom);
      model_.indoms.push_back(std::move(indom));
    }
  }

  // Two instances take turns; the others stay, among them the second, whose name has spaces.
  void LetChange(IndomModel* indom) {
    indom->filled_by_fetch = random_.Chance(1, 2);
    const std::size_t size = indom->instances.size();
    if (size > 3) {
      indom->instances[random_.Chance(1, 2) ? 0 : 2].turns = Turns::kEven;
      indom->instances[size - 1].turns = Turns::kOdd;
      indom->turns_by_request = random_.Chance(1, 3);
    }
  }

  void Add(MetricModel metric) {
    metric.cluster = cluster_;
    metric.item = item_;
    item_ += 1 + static_cast<std::uint32_t>(random_.Below(5));
    if (random_.Chance(1, 6)) {
      cluster_ += 1 + static_cast<std::uint32_t>(random_.Below(4));
      item_ = static_cast<std::uint32_t>(random_.Below(3));
    }
    metric.dynamic = dynamic_ && random_.Chance(1, 2);
    metric.name = (metric.dynamic ? DynamicRootOf(model_) : model_.name) + "." + Word(random_);
    if (random_.Chance(1, 2)) metric.name += "_deep." + Word(random_);
    metric.name += std::to_string(model_.metrics.size());
    metric.seed = static_cast<std::uint32_t>(random_.Next());
    if (metric.type != MetricType::kNoSupport) {
      metric.units = Units{random_.Pick(kUnits)};
    }
    if (Some()) metric.help = SomeHelp(random_);
    if (Some()) metric.labels = SomeLabels(random_);
    model_.metrics.push_back(std::move(metric));
  }

  void AddPart(const Part& part) {
    MetricModel metric{.type = part.type, .semantics = part.semantics, .writable = part.writable};
    if (part.instances) metric.indom = model_.indoms.front().serial;
    if (!part.available) metric.unavailable = ErrorCode::kAgain;
    Add(std::move(metric));
  }

  void AddAny() {
    MetricModel metric{.type = random_.Pick(kTypes)};
    if (metric.type != MetricType::kNoSupport) {
      if (!model_.indoms.empty() && random_.Chance(1, 2)) {
        metric.indom = random_.Pick(model_.indoms).serial;
      }
      static constexpr Semantics kAll[] = {Semantics::kInstant, Semantics::kDiscrete,
                                           Semantics::kCounter};
      metric.semantics = kAll[random_.Below(IsNumeric(metric.type) ? 3 : 2)];
      metric.writable =
          !IsEvent(metric.type) && metric.semantics != Semantics::kCounter && random_.Chance(1, 5);
      if (!metric.writable && random_.Chance(1, 10)) metric.unavailable = ErrorCode::kAgain;
    }
    Add(std::move(metric));
  }

  void MakeTwoDynamic() {
    for (std::size_t i = 0; i < std::min<std::size_t>(2, model_.metrics.size()); ++i) {
      MetricModel& metric = model_.metrics[model_.metrics.size() - 1 - i];
      if (metric.dynamic) continue;
      metric.dynamic = true;
      metric.name = DynamicRootOf(model_) + metric.name.substr(model_.name.size());
    }
  }

  void AddLabels() {
    if (Some()) model_.labels = SomeLabels(random_);
    std::set<std::uint32_t> clusters;
    for (const MetricModel& metric : model_.metrics) clusters.insert(metric.cluster);
    for (const std::uint32_t cluster : clusters) {
      if (Some()) model_.clusters.push_back({cluster, SomeLabels(random_)});
    }
  }

  Random& random_;
  const AgentWish& wish_;
  AgentModel model_;
  bool dynamic_ = false;
  std::uint32_t cluster_ = 0;
  std::uint32_t item_ = 0;
};

}  // namespace

AgentModel RandomAgent(Random& random, const AgentWish& wish) { return Maker(random, wish).Make(); }

bool Meets(const AgentModel& model, const AgentWish& wish) {
  const auto dynamic = std::count_if(model.metrics.begin(), model.metrics.end(),
                                     [](const MetricModel& metric) { return metric.dynamic; });
  if (wish.dynamic == Names::kSome && dynamic < 2) return false;
  if (wish.dynamic == Names::kNone && dynamic != 0) return false;
  if (wish.no_features && model.features != 0) return false;
  if (model.readiness != wish.readiness) return false;
  if (!wish.complete) return !model.metrics.empty();
  if (!model.labelled || model.indoms.empty()) return false;
  const IndomModel& indom = model.indoms.front();
  const bool spaced = std::any_of(
      indom.instances.begin(), indom.instances.end(),
      [](const InstanceModel& instance) { return instance.name.find(' ') != std::string::npos; });
  if (indom.instances.size() < (wish.changing ? 4 : 3) || !spaced) return false;
  const bool taking_turns =
      std::any_of(indom.instances.begin(), indom.instances.end(),
                  [](const InstanceModel& one) { return one.turns != Turns::kAll; });
  if (taking_turns != wish.changing || (indom.changes() && !wish.changing)) return false;
  return std::all_of(
             std::begin(kParts), std::end(kParts),
             [&](const Part& part) {
               return std::any_of(
                   model.metrics.begin(), model.metrics.end(), [&](const MetricModel& metric) {
                     return Fits(metric, part) && (!part.instances || metric.indom == indom.serial);
                   });
             }) &&
         Fits(model.metrics.front(), kParts[0]);
}

}  // namespace pmproof::generators
