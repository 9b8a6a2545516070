// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_TESTING_RANDOM_ARCHIVE_H_
#define PMPROOF_REFERENCE_REPLAY_TESTING_RANDOM_ARCHIVE_H_

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/replay/testing/plan.h"

// Small archives in which the versions of PCP deviate: marks, gaps, volumes, instances that come
// and go, an index with few entries.

namespace pmproof::replay::testing {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  std::uint64_t Below(std::uint64_t count) { return random_() % count; }
  bool In(std::uint64_t count) { return Below(count) == 0; }

 private:
  std::mt19937_64 random_;
};

struct Taste {
  bool same_times = false;   // records of one time
  bool large_types = false;  // 64-bit and opaque types: buffers that DEV-05 destroys
  bool late_index = false;   // the first record has no entry
};

struct RandomMetric {
  std::uint32_t item = 0;
  MetricType type = MetricType::kU32;
  std::vector<std::int32_t> instances;  // none: singular
  std::uint64_t sparse = 1;
};

inline archive::ValueModel RandomValue(Chance& chance, MetricType type, std::int32_t instance) {
  const std::uint64_t number = chance.Below(1000);
  if (type == MetricType::kU32) return {instance, static_cast<std::uint32_t>(number)};
  archive::ValueSetModel set = type == MetricType::kString ? Text(1, "s" + std::to_string(number))
                                                           : Double(1, static_cast<double>(number));
  set.values.front().instance = instance;
  return set.values.front();
}

// A small archive, and the metrics that it has.
struct RandomArchive {
  Plan plan;
  std::vector<RandomMetric> metrics;
  double end = 0;

  RandomArchive(Chance& chance, const Taste& taste) {
    const std::int32_t wide = chance.In(2) ? 3 : 17;
    const std::uint64_t count = 1 + chance.Below(4);
    for (std::uint32_t item = 1; item <= count; ++item) {
      RandomMetric& metric = metrics.emplace_back();
      metric.item = item;
      if (taste.large_types && chance.In(2)) {
        metric.type = chance.In(2) ? MetricType::kString : MetricType::kDouble;
      }
      constexpr Semantics kAll[] = {Semantics::kCounter, Semantics::kInstant, Semantics::kDiscrete};
      const bool set = chance.In(3);
      for (std::int32_t i = 0; set && i < wide; ++i) metric.instances.push_back(i);
      metric.sparse = 1 + chance.Below(4);
      plan.Metric(item, metric.type, kAll[chance.Below(3)], set ? kIndom : Indom::Null());
    }
    plan.Metric(99, MetricType::kU32, Semantics::kInstant);
    Records(chance, taste);
    Domains(chance, wide);
    if (!chance.In(4)) Index(chance, taste);
  }

 private:
  void Records(Chance& chance, const Taste& taste) {
    const std::uint64_t records = 1 + chance.Below(20);
    const std::uint64_t volumes = 1 + (chance.In(2) ? chance.Below(3) : 0);
    archive::Part volume = 0;
    double time = chance.In(2) ? 0 : 1;
    for (std::uint64_t i = 0; i < records; ++i) {
      const bool next = i > 0 && static_cast<std::uint64_t>(volume) + 1 < volumes && chance.In(4);
      plan.Volume(next ? ++volume : volume);
      end = time;
      if (chance.In(5)) {
        plan.Mark(time);
      } else {
        plan.Record(time, Sets(chance));
      }
      if (!taste.same_times || !chance.In(4))
        time += 0.5 * static_cast<double>(1 + chance.Below(6));
    }
  }

  std::vector<archive::ValueSetModel> Sets(Chance& chance) {
    std::vector<archive::ValueSetModel> sets;
    for (const RandomMetric& metric : metrics) {
      if (!chance.In(metric.sparse)) continue;
      archive::ValueSetModel set = U32(metric.item, 0);
      set.values.clear();
      set.format = metric.type == MetricType::kU32 ? archive::kInsitu : archive::kDynamic;
      if (metric.instances.empty()) {
        set.values.push_back(RandomValue(chance, metric.type, kInstanceNull));
      }
      for (const std::int32_t instance : metric.instances) {
        if (chance.In(2)) set.values.push_back(RandomValue(chance, metric.type, instance));
      }
      if (!set.values.empty()) sets.push_back(std::move(set));
    }
    if (sets.empty()) sets.push_back(U32(99, 1));
    return sets;
  }

  // Their instances come and go, whatever the records have.
  void Domains(Chance& chance, std::int32_t wide) {
    double time = 0;
    for (std::uint64_t i = 0; i <= chance.Below(4); ++i) {
      std::vector<std::int32_t> ids;
      for (std::int32_t id = 0; id < wide; ++id) {
        if (i == 0 || !chance.In(4)) ids.push_back(id);
      }
      plan.Domain(time, ids);
      time += 1 + static_cast<double>(chance.Below(8));
    }
  }

  void Index(Chance& chance, const Taste& taste) {
    archive::ArchiveModel& model = plan.model();
    model.index.emplace();
    model.index->label = model.meta.label;
    model.index->label.volume = archive::kIndexPart;
    const std::uint64_t density = 1 + chance.Below(8);
    for (const auto& [part, volume] : model.volumes) {
      archive::Buffer bytes;
      archive::AppendLabel(volume.label, &bytes);
      for (const archive::ResultModel& record : volume.records) {
        const bool first = model.index->records.empty() && !taste.late_index;
        if (first || chance.In(density))
          model.index->records.push_back({record.time, part, 808, bytes.size()});
        archive::AppendResult(record, 3, &bytes);
      }
    }
    if (model.index->records.empty()) model.index.reset();
  }
};

}  // namespace pmproof::replay::testing

#endif  // PMPROOF_REFERENCE_REPLAY_TESTING_RANDOM_ARCHIVE_H_
