// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/simple.h"

#include <algorithm>

#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/reference_agents/agent_files.h"

namespace pmproof::pmda {
namespace {

constexpr std::uint32_t kDomain = 253;
constexpr std::uint32_t kColors = 0;  // serial numbers of the instance domains
constexpr std::uint32_t kParts = 1;
constexpr std::int32_t kLargestColor = 255;
constexpr std::array<std::string_view, 3> kColorNames = {"red", "green", "blue"};
constexpr std::array<std::string_view, 3> kPartNames = {"sec", "min", "hour"};
constexpr std::array kTimes = {&SimpleWorld::TimeOfDay::second, &SimpleWorld::TimeOfDay::minute,
                               &SimpleWorld::TimeOfDay::hour};

}  // namespace

Simple::Simple(SimpleWorld world)
    : world_(std::move(world)), agent_({.name = "simple", .domain = kDomain}) {
  InstanceDomain& colors = agent_.AddIndom(kColors);  // PMD-220
  for (const std::string_view name : kColorNames) colors.Activate(name);
  parts_ = &agent_.AddIndom(kParts);
  AddMetrics();
  agent_.SetHelp(AgentHelp("simple", "SIMPLE", kDomain));            // PMD-229
  agent_.SetLabels(LabelTarget::Domain(), R"({"role":"testing"})");  // PMD-230
  agent_.SetLabels(LabelTarget::Indom(kColors), R"({"indom_name":"color","model":"RGB"})");
  agent_.SetLabels(LabelTarget::Indom(kParts), R"({"indom_name":"time","unitsystem":"SI"})");
  agent_.hooks().before_fetch = [this] {
    ++fetches_;  // PMD-222
    ReadConfiguration();
    now_.reset();
    return ErrorCode::kOk;
  };
  agent_.hooks().before_instances = [this](Indom) {
    ReadConfiguration();
    return ErrorCode::kOk;
  };
  agent_.hooks().store = [this](pdu::List<pdu::ValueSet> sets) { return Store(sets); };
}

void Simple::AddMetrics() {
  constexpr Units kSeconds{0x01003000};
  agent_.AddMetric({.cluster = 0, .item = 0, .type = MetricType::kU32},
                   [this](std::int32_t) { return Value::Of(fetches_); });
  agent_.AddMetric({.cluster = 0, .item = 1, .type = MetricType::k32, .indom = kColors},
                   [this](std::int32_t instance) { return Color(instance); });
  agent_.AddMetric({.cluster = 1,
                    .item = 2,
                    .type = MetricType::kDouble,
                    .semantics = Semantics::kCounter,
                    .units = kSeconds},
                   [this](std::int32_t) { return Value::Of(CpuTime().user); });
  agent_.AddMetric({.cluster = 1,
                    .item = 3,
                    .type = MetricType::kDouble,
                    .semantics = Semantics::kCounter,
                    .units = kSeconds},
                   [this](std::int32_t) { return Value::Of(CpuTime().system); });
  agent_.AddMetric({.cluster = 2, .item = 4, .type = MetricType::kU32, .indom = kParts},
                   [this](std::int32_t instance) { return Now(instance); });
}

// PMD-223: the value that is returned is the next one.
Sample Simple::Color(std::int32_t instance) {
  std::int32_t& color = colors_[static_cast<std::size_t>(instance)];
  color = (color + 1) % (kLargestColor + 1);
  return Value::Of(color);
}

// PMD-226.
Sample Simple::Now(std::int32_t instance) {
  const auto part = part_of_[static_cast<std::size_t>(instance)];
  if (!now_) now_ = world_.time_of_day();
  return Value::Of((*now_).*part);
}

// PMD-227: only while more fetches were counted than at the last sample.
const SimpleWorld::CpuTime& Simple::CpuTime() {
  if (fetches_ > sampled_at_) {
    cpu_ = world_.cpu_time();
    sampled_at_ = fetches_;
  }
  return cpu_;
}

// PMD-224, PMD-225.
void Simple::ReadConfiguration() {
  const std::optional<std::int64_t> changed = world_.configuration_time();
  if (changed == read_at_) return;
  read_at_ = changed;
  parts_->DeactivateAll();
  if (!changed) return;
  const std::string text = world_.configuration();
  std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(','));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    const auto* const part = std::find(kPartNames.begin(), kPartNames.end(), word);
    if (part != kPartNames.end()) {
      const std::optional<std::int32_t> number = parts_->Activate(word);
      const std::string labels = R"({"units":")" + std::string(word) + R"("})";
      if (!number) continue;
      agent_.SetLabels(LabelTarget::Instance(kParts, *number), labels);
      part_of_[static_cast<std::size_t>(*number)] =
          kTimes[static_cast<std::size_t>(part - kPartNames.begin())];
    } else if (world_.log && !word.empty()) {
      world_.log("simple.conf: no such part of the time: " + std::string(word));
    }
  }
}

ErrorCode Simple::Store(pdu::List<pdu::ValueSet> sets) {
  ErrorCode code = ErrorCode::kOk;
  for (const pdu::ValueSet& set : sets) {
    const Stored stored = StoreSet(set);
    if (stored.code != ErrorCode::kOk) code = stored.code;
    if (!stored.goes_on) break;
  }
  return code;
}

Simple::Stored Simple::StoreSet(const pdu::ValueSet& set) {
  const Agent::MetricEntry* metric = agent_.FindMetric(set.pmid);
  if (metric == nullptr) {
    const bool first_cluster = set.pmid.domain() == agent_.domain() && set.pmid.cluster() == 0;
    return {ErrorCode::kPmid, first_cluster};  // PMD-239, PMD-240
  }
  if (set.pmid.cluster() != 0) return {pdu::kErrPermission, false};  // PMD-237, PMD-238
  return set.pmid.item() == 0 ? StoreFetches(set) : StoreColors(set);
}

// PMD-232, PMD-233.
Simple::Stored Simple::StoreFetches(const pdu::ValueSet& set) {
  const auto value = pdu::ValueOf(set.values.front(), set.format, MetricType::k32);
  if (!value) return {ErrorCode::kConversion, false};  // PMD-094
  fetches_ = static_cast<std::uint32_t>(std::max(0, value->AsI32()));
  return {value->AsI32() < 0 ? pdu::kErrBadStore : ErrorCode::kOk};
}

// PMD-234..236.
Simple::Stored Simple::StoreColors(const pdu::ValueSet& set) {
  for (const pdu::InstanceValue& stored : set.values) {
    const auto value = pdu::ValueOf(stored, set.format, MetricType::k32);
    if (!value) return {ErrorCode::kConversion, false};
    if (stored.instance < 0 || stored.instance >= static_cast<std::int32_t>(colors_.size())) {
      return {ErrorCode::kInstance, false};
    }
    const std::int32_t color = std::clamp(value->AsI32(), 0, kLargestColor);
    colors_[static_cast<std::size_t>(stored.instance)] = color;
    if (color != value->AsI32()) return {pdu::kErrBadStore, false};
  }
  return {};
}

}  // namespace pmproof::pmda
