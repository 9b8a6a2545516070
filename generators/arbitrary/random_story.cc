// SPDX-License-Identifier: Apache-2.0
#include "generators/arbitrary/random_story.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace pmproof::generators {
namespace {

constexpr std::int64_t kYear1990 = 631'152'000;   // what is earlier is not plausible (ARC-1220)
constexpr std::int64_t kMinute = 60'000'000'000;  // what is "near" a record (ARC-1826)
constexpr std::uint32_t kAgents[] = {29, 60, 510};
constexpr MetricType kTypes[] = {
    MetricType::k32,    MetricType::kU32,         MetricType::k64,     MetricType::kU64,
    MetricType::kFloat, MetricType::kDouble,      MetricType::kString, MetricType::kAggregate,
    MetricType::kEvent, MetricType::kHighresEvent};
// None, Kbyte, byte / sec, count, count x 10^3 / msec, hour.
constexpr std::uint32_t kUnits[] = {0, 0x10010000, 0x1f003000, 0x00100000, 0x0f102300, 0x01005000};
constexpr std::uint64_t kEdges[] = {
    0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 32, 0x7fffffffffffffff, 1ULL << 63, ~0ULL};
// None, PM_ERR_VALUE, PM_ERR_AGAIN, PM_ERR_NOAGENT, ENOENT (ARC-019).
constexpr std::int32_t kErrors[] = {0, -12351, -12389, -12386, -2};
constexpr const char* kStems[] = {"i", "cpu", "disk/", "\xc3\xa4_", "_"};
constexpr const char* kHosts[] = {"acme.example.com", "h",
                                  "a-host-with-a-rather-long-name.example"};
constexpr const char* kValues[] = {"1", "true", "null",       "\"x\"",         "\"number #\"",
                                   "#", "-1.5", "[1,[2],{}]", "\"\\u00e4\\n\""};
constexpr const char* kLabelNames[] = {"a", "b_1", "outer.inner", "outer.other", "Z9", "hostname"};
constexpr LabelClass kLevels[] = {LabelClass::kContext, LabelClass::kDomain,
                                  LabelClass::kIndom,   LabelClass::kCluster,
                                  LabelClass::kItem,    LabelClass::kInstances};

class Teller {
 public:
  Teller(Random& random, const StoryTaste& taste) : random_(random), taste_(taste) {}

  Story Tell() {
    AddSetup();
    const std::uint64_t steps = random_.Below(taste_.steps + 1);
    for (std::uint64_t i = 0; i < steps; ++i) story_.steps.push_back(AnyStep());
    return std::move(story_);
  }

 private:
  std::size_t Index(std::size_t size) { return static_cast<std::size_t>(random_.Below(size)); }
  template <typename T, std::size_t kSize>
  const T& Pick(const T (&array)[kSize]) {
    return array[Index(kSize)];
  }
  bool OneIn(std::uint64_t n) { return random_.Chance(1, n); }

  void AddSetup() {
    Setup& setup = story_.setup;
    setup.version = OneIn(2) ? 2 : 3;
    setup.pid = static_cast<std::int32_t>(random_.Between(1, 0x7fffffff));
    setup.host = Pick(kHosts);
    if (OneIn(4)) setup.timezone = "AEST-10";
    if (OneIn(4)) setup.zoneinfo = ":Australia/Melbourne";
    setup.start.seconds = random_.Between(kYear1990, 1'700'000'000);
    setup.start.nanoseconds = static_cast<std::int32_t>(random_.Between(0, 999'999'999));
    constexpr std::int64_t kIntervals[] = {1'000'000'000, 2'000, 1'000'000, 60'000'000'000};
    setup.interval = Pick(kIntervals);
    if (!taste_.sound) {
      setup.logger = OneIn(2);
      if (setup.version == 3 && OneIn(8))
        setup.start.seconds = random_.Between(0x7fffff00, 1LL << 31);
      if (setup.version == 3 && OneIn(8))
        setup.start.seconds = random_.Between(1LL << 31, 1LL << 40);
    }
    AddLabels(setup.context_labels);
    AddLabels(setup.agent_labels);
    AddLabels(setup.cluster_labels);
    const std::size_t domains = Index(4);
    for (std::size_t i = 0; i < domains; ++i) AddDomain();
    const std::size_t metrics = 1 + Index(taste_.metrics);
    for (std::size_t i = 0; i < metrics; ++i) AddMetric();
  }

  void AddLabels(std::vector<LabelText>& labels) {
    while (OneIn(3)) labels.push_back(AnyLabel());
  }

  LabelText AnyLabel() { return {Pick(kLabelNames), Pick(kValues), OneIn(3)}; }

  std::string AnyText(std::size_t most) {
    constexpr const char* kOdd[] = {"\n", "\t", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\xa7"};
    std::string text;
    for (std::size_t i = Index(most + 1); i > 0; --i) {
      if (OneIn(20)) {
        text += Pick(kOdd);
      } else {
        text += static_cast<char>(random_.Between(' ', '~'));
      }
    }
    return text;
  }

  std::string AnyBytes(std::size_t most) {
    std::string bytes;
    for (std::size_t i = Index(most + 1); i > 0; --i)
      bytes += static_cast<char>(random_.Below(256));
    return bytes;
  }

  std::int32_t AnyInstance() {
    return static_cast<std::int32_t>(OneIn(10) ? random_.Between(0, 0x7fffffff)
                                               : random_.Between(0, 5));
  }

  void AddDomain() {
    const std::size_t number = story_.setup.domains.size();
    DomainSetup domain;
    domain.agent = Pick(kAgents);
    domain.serial = static_cast<std::uint32_t>(number + random_.Below(3) * 0x100000);
    domain.stem = Pick(kStems);
    domain.instances.clear();
    const std::size_t instances = 1 + Index(4);
    for (std::size_t i = 0; i < instances; ++i) domain.instances.push_back(AnyInstance());
    if (OneIn(3)) domain.one_line = AnyText(30);
    if (OneIn(3)) domain.help = AnyText(100);
    AddLabels(domain.labels);
    AddLabels(domain.instance_labels);
    story_.setup.domains.push_back(std::move(domain));
  }

  void AddMetric() {
    Setup& setup = story_.setup;
    const std::size_t number = setup.metrics.size();
    MetricSetup metric;
    metric.agent = Pick(kAgents);
    if (!setup.domains.empty() && OneIn(2)) {
      metric.domain = Index(setup.domains.size());
      metric.agent = setup.domains[*metric.domain].agent;
    }
    metric.cluster = static_cast<std::uint32_t>(OneIn(8) ? random_.Below(0x1000) : OneIn(2));
    metric.item = static_cast<std::uint32_t>(number + (OneIn(8) ? random_.Below(0x3f0) : 0));
    metric.name = "m" + std::to_string(number);
    if (OneIn(4)) metric.name += ".sub_1.leaf";
    if (OneIn(16)) metric.name += std::string(200, 'n');
    if (OneIn(4)) metric.aliases.push_back("alias.n" + std::to_string(number));
    metric.type = Pick(kTypes);
    constexpr Semantics kSemantics[] = {Semantics::kCounter, Semantics::kInstant,
                                        Semantics::kDiscrete};
    metric.semantics = Pick(kSemantics);
    metric.units = Units{Pick(kUnits)};
    if (OneIn(3)) metric.one_line = AnyText(30);
    if (OneIn(3)) metric.help = AnyText(100);
    AddLabels(metric.labels);
    metric.first = AnyNumber();
    metric.parameter = OneIn(4);
    metric.valueless = !taste_.sound && OneIn(4);
    setup.metrics.push_back(std::move(metric));
  }

  std::uint64_t AnyNumber() {
    if (OneIn(6)) return Pick(kEdges);
    return OneIn(6) ? random_.Next() : random_.Below(1000);
  }

  Step AnyStep() {
    const std::uint64_t draw = random_.Below(taste_.sound ? 19 : 20);
    if (draw < 12) return AnySample();
    if (draw < 14) return AnyMark();
    if (draw < 17 && !story_.setup.domains.empty()) return AnyDomainChange();
    if (draw == 17) return AnyLabelChange();
    if (draw == 18) return VolumeSwitch{};
    return draw == 19 ? Step(AnyRedefinition()) : Step(AnySample());
  }

  Sample AnySample() {
    Sample sample;
    if (OneIn(4)) sample.after = random_.Between(0, 9 * story_.setup.interval);
    sample.back = !taste_.sound && OneIn(8);
    for (std::size_t i = 0; i < story_.setup.metrics.size(); ++i) {
      if (!OneIn(3)) sample.readings.push_back(AnyReading(i));
    }
    return sample;
  }

  Reading AnyReading(std::size_t metric) {
    Reading reading;
    reading.metric = metric;
    if (OneIn(10)) {
      reading.status = Pick(kErrors);
      return reading;
    }
    const MetricSetup& role = story_.setup.metrics[metric];
    std::vector<std::int32_t> instances = {0};
    if (role.domain) {
      instances = story_.setup.domains[*role.domain].instances;
      for (std::int32_t i = 0; i < 6; ++i) instances.push_back(i);  // that may have appeared
    }
    for (const std::int32_t instance : instances) {
      if (!OneIn(6)) reading.values.push_back(AnyValue(role, instance));
    }
    return reading;
  }

  Value AnyValue(const MetricSetup& role, std::int32_t instance) {
    Value value;
    value.instance = instance;
    value.number = AnyNumber();
    if (!taste_.sound && OneIn(8)) value.counting = OneIn(2) ? Counting::kSet : Counting::kWrap;
    if (role.type == MetricType::kString) value.text = AnyText(20);
    if (role.type == MetricType::kAggregate) value.text = AnyBytes(20);
    if (IsEvent(role.type)) {
      const std::size_t events = Index(3);
      for (std::size_t i = 0; i < events; ++i) value.events.push_back(AnyEvent());
    }
    return value;
  }

  EventText AnyEvent() {
    EventText event;
    if (OneIn(2)) event.before = random_.Between(0, kMinute);
    event.flags = static_cast<std::uint32_t>(random_.Below(0x20));
    if (OneIn(5)) event.missed = static_cast<std::uint32_t>(random_.Between(1, 100));
    for (std::size_t i = 0; i < story_.setup.metrics.size(); ++i) {
      if (story_.setup.metrics[i].parameter && OneIn(2))
        event.parameters.push_back({i, AnyNumber(), AnyBytes(10)});
    }
    return event;
  }

  Mark AnyMark() {
    Mark mark;
    if (OneIn(3)) mark.after = random_.Between(0, story_.setup.interval);
    mark.anywhere = !taste_.sound && OneIn(2);
    return mark;
  }

  DomainChange AnyDomainChange() {
    DomainChange change;
    change.domain = Index(story_.setup.domains.size());
    using Kind = DomainChange::Kind;
    change.kind = OneIn(2) ? Kind::kAppear : Kind::kVanish;
    if (!taste_.sound && OneIn(6)) change.kind = Kind::kReplace;
    const std::vector<std::int32_t>& instances = story_.setup.domains[change.domain].instances;
    change.instance = OneIn(2) ? instances[Index(instances.size())] : AnyInstance();
    change.by = AnyInstance();
    return change;
  }

  LabelChange AnyLabelChange() {
    LabelChange change;
    change.level = Pick(kLevels);
    change.metric = Index(story_.setup.metrics.size());
    change.label = AnyLabel();
    if (OneIn(3)) change.label.value.clear();
    return change;
  }

  Redefinition AnyRedefinition() {
    Redefinition change;
    change.metric = Index(story_.setup.metrics.size());
    const MetricSetup& metric = story_.setup.metrics[change.metric];
    // Among types of one size and form: others would bring on what is said of their encoding, too.
    constexpr MetricType kLong[] = {MetricType::k64, MetricType::kU64, MetricType::kDouble};
    const bool is_long = std::ranges::find(kLong, metric.type) != std::end(kLong);
    if (is_long && metric.semantics != Semantics::kCounter && OneIn(2)) change.type = Pick(kLong);
    if (OneIn(4)) change.semantics = Semantics::kDiscrete;
    if (OneIn(4)) change.units = Units{Pick(kUnits)};
    // A domain of another agent would be one fault more (ARC-1319).
    const std::vector<DomainSetup>& domains = story_.setup.domains;
    if (!domains.empty() && OneIn(4)) {
      const std::size_t domain = Index(domains.size());
      if (domains[domain].agent == metric.agent) change.domain = domain;
    }
    return change;
  }

  Random& random_;
  const StoryTaste taste_;
  Story story_;
};

}  // namespace

Story RandomStory(Random& random, const StoryTaste& taste) { return Teller(random, taste).Tell(); }

}  // namespace pmproof::generators
