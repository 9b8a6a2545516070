// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/agent.h"

#include <algorithm>

namespace pmproof::pmda {
namespace {

constexpr std::uint32_t kMaxDomain = 510;  // PDU-032
constexpr std::uint32_t kMaxCluster = 0xfff;
constexpr std::uint32_t kMaxItem = 0x3ff;
constexpr std::uint32_t kMaxSerial = 0x3fffff;

// Where a PMID has its place among `places`, or after it.
std::size_t PlaceOf(Pmid pmid, std::size_t places) {
  constexpr std::uint32_t kGolden = 0x9e3779b1;  // spreads neighbours
  return (pmid.value * kGolden >> 8) & (places - 1);
}

Pmid WithoutDomain(Pmid pmid) { return Pmid::Of(0, pmid.cluster(), pmid.item()); }

}  // namespace

Agent::Agent(Identity identity) : identity_(std::move(identity)) {
  if (!identity_.name.empty()) {
    SetLabels(LabelTarget::Domain(), R"({"agent":")" + identity_.name + R"("})");
  }
}

void Agent::Fault(Clause clause, std::string message) {
  if (fault_) return;
  fault_ = Status{.kind = Status::Kind::kUsage,
                  .file = "agent " + identity_.name,
                  .clause = clause,
                  .message = std::move(message)};
}

InstanceDomain& Agent::AddIndom(std::uint32_t serial) {
  if (serial > kMaxSerial) {
    Fault("PDU-031"_clause, "instance domain " + std::to_string(serial) + " is out of range");
  }
  std::unique_ptr<InstanceDomain>& indom = indoms_[serial];
  if (indom == nullptr) indom = std::make_unique<InstanceDomain>();
  return *indom;
}

void Agent::AddMetric(const Metric& metric, Sampler sampler) {
  const std::string name = std::to_string(metric.cluster) + "." + std::to_string(metric.item);
  if (metric.cluster > kMaxCluster || metric.item > kMaxItem) {
    return Fault("PDU-030"_clause, "metric " + name + " is out of range");
  }
  MetricEntry entry;
  entry.descriptor.pmid = Pmid::Of(0, metric.cluster, metric.item);
  entry.descriptor.type = metric.type;
  if (metric.type == MetricType::kNoSupport) {
    entry.descriptor.semantics = Semantics{};  // PMD-086
  } else {
    entry.descriptor.semantics = metric.semantics;
    entry.descriptor.units = metric.units;
    if (metric.indom) {
      const auto indom = indoms_.find(*metric.indom);
      if (indom == indoms_.end()) {
        return Fault("DSO-060"_clause, "metric " + name +
                                           " is of an instance domain that is not "
                                           "there: " +
                                           std::to_string(*metric.indom));
      }
      entry.descriptor.indom = Indom::Of(0, *metric.indom);
      entry.indom = indom->second.get();
    }
  }
  entry.sampler = std::move(sampler);
  const auto [place, is_new] = metrics_.try_emplace(entry.descriptor.pmid, std::move(entry));
  if (!is_new) return Fault("PDU-030"_clause, "metric " + name + " is there twice");
  Enter(&place->second);
}

void Agent::Enter(const MetricEntry* metric) {
  constexpr std::size_t kLeast = 16;
  if (places_.size() < 2 * metrics_.size()) {
    places_.assign(std::max(kLeast, 2 * places_.size()), nullptr);
    for (const auto& [pmid, entry] : metrics_) {
      if (&entry != metric) Enter(&entry);
    }
  }
  std::size_t place = PlaceOf(metric->descriptor.pmid, places_.size());
  while (places_[place] != nullptr) place = (place + 1) & (places_.size() - 1);
  places_[place] = metric;
}

void Agent::SetHelp(HelpTable help, bool as_written) {
  help_ = as_written ? std::move(help) : help.WithDomain(0);
  help_as_written_ = as_written;
}

void Agent::SetLabels(const LabelTarget& target, std::string_view json) {
  if (!labels_.Set(target, json)) {
    Fault("PDU-077"_clause, "these are not labels: " + std::string(json));
  }
}

const Agent::MetricEntry* Agent::FindMetric(Pmid pmid) const {
  // Domain and flag bit count (PMD-112).
  if (pmid.flag() || pmid.domain() != identity_.domain) return nullptr;
  if (places_.empty()) return nullptr;
  const Pmid wanted = WithoutDomain(pmid);
  std::size_t place = PlaceOf(wanted, places_.size());
  while (places_[place] != nullptr && places_[place]->descriptor.pmid != wanted) {
    place = (place + 1) & (places_.size() - 1);
  }
  return places_[place];
}

Descriptor Agent::Describe(const MetricEntry& metric) const {
  Descriptor descriptor = metric.descriptor;
  descriptor.pmid = Pmid::Of(identity_.domain, descriptor.pmid.cluster(), descriptor.pmid.item());
  if (metric.indom != nullptr) {
    descriptor.indom = Indom::Of(identity_.domain, descriptor.indom.serial());
  }
  return descriptor;
}

const InstanceDomain* Agent::FindIndom(Indom indom) const {
  if (indom.flag() || indom.domain() != identity_.domain) return nullptr;
  const auto found = indoms_.find(indom.serial());
  return found == indoms_.end() ? nullptr : found->second.get();
}

tl::expected<std::string_view, ErrorCode> Agent::FindHelp(HelpId id, std::uint32_t request) const {
  if (help_as_written_) return help_.Find(id, request);
  const bool own = std::visit(
      [this](auto identifier) {
        return !identifier.flag() && identifier.domain() == identity_.domain;
      },
      id);
  if (!own) return tl::unexpected(kNoText);
  if (const Pmid* pmid = std::get_if<Pmid>(&id)) return help_.Find(WithoutDomain(*pmid), request);
  return help_.Find(Indom::Of(0, std::get<Indom>(id).serial()), request);
}

}  // namespace pmproof::pmda
