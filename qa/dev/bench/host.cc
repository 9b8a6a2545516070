// SPDX-License-Identifier: Apache-2.0
#include "qa/dev/bench/host.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>
#include <utility>

#include "reference/archive/layout.h"
#include "reference/archive/model.h"

namespace pmproof::bench {
namespace {

constexpr std::uint32_t kDomain = 60;
constexpr std::size_t kProcesses = 150;
constexpr std::uint64_t kStepsBetweenChanges = 60;
constexpr std::size_t kProcessesReplaced = 3;

constexpr Scope kSetValued[] = {Scope::kLoad, Scope::kCpu, Scope::kDisk, Scope::kProcess};

std::size_t IndexOf(Scope scope) { return static_cast<std::size_t>(scope); }

Indom IndomOf(Scope scope) {
  if (scope == Scope::kHost) return Indom::Null();
  return Indom::Of(kDomain, static_cast<std::uint32_t>(scope));
}

Pmid PmidOf(std::size_t position) {
  const HostMetric& metric = HostMetrics()[position];
  return Pmid::Of(kDomain, static_cast<std::uint32_t>(metric.scope),
                  static_cast<std::uint32_t>(position));
}

// ARC-205, ARC-206: only 32-bit integers are stored in the value set itself.
bool IsInsitu(MetricType type) { return type == MetricType::k32 || type == MetricType::kU32; }

// The size of a value block with its header, padding included (ARC-230). All strings of processes
// have one letter; those of the host are the first values of their metrics and never change.
std::uint32_t BlockSize(MetricType type) {
  return 4 + static_cast<std::uint32_t>(
                 archive::PadToWord(type == MetricType::kString ? 2 : NumericSize(type)));
}

std::string HostText(const char* name) {
  return std::string(name).ends_with("release") ? "6.1.0-28-amd64" : "bench.example.org";
}

}  // namespace

Host::Host(int version) : version_(version), metrics_(HostMetrics().size()) {
  instances_[IndexOf(Scope::kHost)] = {{kInstanceNull, ""}};
  instances_[IndexOf(Scope::kLoad)] = {{1, "1 minute"}, {5, "5 minute"}, {15, "15 minute"}};
  for (std::int32_t i = 0; i < 16; ++i) {
    instances_[IndexOf(Scope::kCpu)].push_back({i, "cpu" + std::to_string(i)});
  }
  for (std::int32_t i = 0; i < 8; ++i) {
    instances_[IndexOf(Scope::kDisk)].push_back({i, "nvme" + std::to_string(i) + "n1"});
  }
  for (std::size_t i = 0; i < kProcesses; ++i) {
    instances_[IndexOf(Scope::kProcess)].push_back(NewProcess());
  }
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    const HostMetric& plan = HostMetrics()[m];
    for (std::size_t i = 0; i < instances_[IndexOf(plan.scope)].size(); ++i) {
      metrics_[m].values.push_back(FirstValue(plan));
    }
  }
}

std::uint32_t Host::Random() {
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  return static_cast<std::uint32_t>(random_ >> 32);
}

std::uint64_t Host::FirstValue(const HostMetric& metric) {
  return Random() & (IsInsitu(metric.type) ? 0xffff : 0xfffffff);
}

Host::Instance Host::NewProcess() {
  next_pid_ += 1 + static_cast<std::int32_t>(Random() % 7);
  char name[64];
  std::snprintf(name, sizeof name, "%06d /usr/sbin/service-%u --worker", next_pid_, Random() % 100);
  return {next_pid_, name};
}

void Host::Describe(Timestamp time, ArchiveWriter* writer) {
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    const HostMetric& plan = HostMetrics()[m];
    const Pmid pmid = PmidOf(m);
    writer->AddMeta(archive::DescModel{
        {pmid, plan.type, IndomOf(plan.scope), plan.semantics, Units{plan.units}}, {plan.name}});
    writer->AddMeta(archive::TextModel{static_cast<std::uint32_t>(TextType::kMetricOneLine),
                                       pmid.value, std::string(plan.name) + " of a made-up host"});
  }
  for (const Scope scope : kSetValued) {
    archive::IndomModel indom{time, IndomOf(scope), {}, false};
    for (const Instance& instance : instances_[IndexOf(scope)]) {
      indom.instances.push_back({instance.id, instance.name});
    }
    writer->AddMeta(indom);
  }
}

void Host::ReplaceProcesses(Timestamp time, ArchiveWriter* writer) {
  std::vector<Instance>& processes = instances_[IndexOf(Scope::kProcess)];
  archive::IndomModel change{time, IndomOf(Scope::kProcess), {}, version_ == 3};
  for (std::size_t i = 0; i < kProcessesReplaced; ++i) {
    const auto victim = static_cast<std::ptrdiff_t>(Random() % (processes.size() - i));
    if (change.delta) change.instances.push_back({processes[victim].id, std::nullopt});
    processes.erase(processes.begin() + victim);
    processes.push_back(NewProcess());
    if (change.delta) change.instances.push_back({processes.back().id, processes.back().name});
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      if (HostMetrics()[m].scope != Scope::kProcess) continue;
      metrics_[m].values.erase(metrics_[m].values.begin() + victim);
      metrics_[m].values.push_back(FirstValue(HostMetrics()[m]));
    }
  }
  if (!change.delta) {
    for (const Instance& process : processes)
      change.instances.push_back({process.id, process.name});
  }
  std::sort(change.instances.begin(), change.instances.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  writer->AddMeta(change);
}

archive::ResultModel Host::Model() const {
  archive::ResultModel result;
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    const HostMetric& plan = HostMetrics()[m];
    archive::ValueSetModel set{
        PmidOf(m), IsInsitu(plan.type) ? archive::kInsitu : archive::kDynamic, {}, 0};
    for (const Instance& instance : instances_[IndexOf(plan.scope)]) {
      archive::ValueModel value{instance.id, 0U};
      if (plan.type == MetricType::kString) {
        const std::string text = plan.scope == Scope::kHost ? HostText(plan.name) : "S";
        value.value = archive::BlockModel{static_cast<std::uint8_t>(plan.type),
                                          text + std::string(1, '\0'), std::nullopt};
      } else if (!IsInsitu(plan.type)) {
        value.value = archive::BlockModel{static_cast<std::uint8_t>(plan.type),
                                          std::string(NumericSize(plan.type), '\0'), std::nullopt};
      }
      set.values.push_back(std::move(value));
    }
    result.sets.push_back(std::move(set));
  }
  return result;
}

// Encodes the record with the present instances and notes where each metric's values are (ARC-601).
void Host::Encode() {
  const archive::ResultModel result = Model();
  std::uint32_t at = static_cast<std::uint32_t>(4 + archive::LayoutOf(version_).timestamp + 4);
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    metrics_[m].first_pair = at + 12;
    at += 12 + 8 * static_cast<std::uint32_t>(result.sets[m].values.size());
  }
  record_.clear();
  archive::AppendResult(result, version_, &record_);
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    if (IsInsitu(HostMetrics()[m].type)) continue;
    const std::uint32_t index = LoadU32(record_.data() + metrics_[m].first_pair + 4);
    metrics_[m].first_block = 4 * (index - 2);  // ARC-207
  }
}

// Moves every value on by a step, in the model and in the record.
void Host::Update() {
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    const HostMetric& plan = HostMetrics()[m];
    Metric& metric = metrics_[m];
    if (plan.type == MetricType::kString && plan.scope == Scope::kHost) continue;
    const bool insitu = IsInsitu(plan.type);
    const std::uint32_t stride = insitu ? 8 : BlockSize(plan.type);
    std::uint8_t* place = record_.data() + (insitu ? metric.first_pair : metric.first_block) + 4;
    for (std::uint64_t& value : metric.values) {
      const std::uint32_t random = Random();
      const std::uint32_t part = random & plan.spread;
      // A third of the counters rest at any time: archives are not noise, and decompressors know
      // it.
      const bool counter = plan.semantics == Semantics::kCounter;
      if (counter && random >> 24 > 85) value += part;
      const std::uint64_t shown = counter ? value : value + part;
      switch (plan.type) {
        case MetricType::kU64:
        case MetricType::k64:
          StoreU64(place, shown);
          break;
        case MetricType::kFloat:
          StoreU32(place, std::bit_cast<std::uint32_t>(static_cast<float>(part) / 128));
          break;
        case MetricType::kDouble:
          StoreU64(place, std::bit_cast<std::uint64_t>(static_cast<double>(part) / 128));
          break;
        case MetricType::kString:
          *place = "SSSSSSRD"[random >> 29];
          break;
        case MetricType::kNoSupport:
        case MetricType::k32:
        case MetricType::kU32:
        case MetricType::kAggregate:
        case MetricType::kAggregateStatic:
        case MetricType::kEvent:
        case MetricType::kHighresEvent:
        case MetricType::kUnknown:
          StoreU32(place, static_cast<std::uint32_t>(shown));
          break;
      }
      place += stride;
    }
  }
}

Bytes Host::Step(Timestamp time, ArchiveWriter* writer) {
  if (steps_ == 0) {
    Describe(time, writer);
    Encode();
  } else if (steps_ % kStepsBetweenChanges == 0) {
    ReplaceProcesses(time, writer);
    Encode();
  }
  ++steps_;
  Update();
  archive::StoreTimestamp(record_.data() + 4, time, version_);
  return record_;
}

}  // namespace pmproof::bench
