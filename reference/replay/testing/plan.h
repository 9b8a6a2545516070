// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_TESTING_PLAN_H_
#define PMPROOF_REFERENCE_REPLAY_TESTING_PLAN_H_

#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/archive_model.h"
#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"

// Small archives for tests of replay, said in one line each.

namespace pmproof::replay::testing {

inline constexpr Indom kIndom = Indom::Of(29, 1);

inline Timestamp At(double seconds) {
  return Timestamp{} + static_cast<std::int64_t>(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5));
}

// An archive of version 3 that starts at 0. Metric 29.0.ITEM.
class Plan {
 public:
  Plan() {
    model_.meta.label = Label(archive::kMetaPart);
    model_.volumes[0].label = Label(0);
  }

  Plan& Metric(std::uint32_t item, MetricType type, Semantics semantics,
               Indom indom = Indom::Null()) {
    model_.meta.records.emplace_back(archive::DescModel{
        {Pmid::Of(29, 0, item), type, indom, semantics, {}}, {"m." + std::to_string(item)}});
    return *this;
  }
  Plan& Domain(double seconds, const std::vector<std::int32_t>& ids) {
    archive::IndomModel indom{At(seconds), kIndom, {}, false};
    for (const std::int32_t id : ids) indom.instances.push_back({id, "i" + std::to_string(id)});
    model_.meta.records.emplace_back(indom);
    return *this;
  }
  Plan& Record(double seconds, std::vector<archive::ValueSetModel> sets) {
    model_.volumes[volume_].records.push_back({At(seconds), std::move(sets)});
    return *this;
  }
  Plan& Mark(double seconds) { return Record(seconds, {}); }
  Plan& Volume(archive::Part number) {
    volume_ = number;
    model_.volumes[number].label = Label(number);
    return *this;
  }
  Plan& StartsAt(double seconds) {
    model_.meta.label.start = At(seconds);
    for (auto& [part, volume] : model_.volumes) volume.label.start = At(seconds);
    return *this;
  }
  Plan& Host(const std::string& host) {
    model_.meta.label.host = model_.volumes[0].label.host = host;
    return *this;
  }

  // Index entries for these records of volume 0, in the order of their numbers.
  Plan& Index(const std::vector<std::size_t>& records) {
    archive::Buffer bytes;
    archive::AppendLabel(model_.volumes[0].label, &bytes);
    std::vector<std::uint64_t> offsets;
    for (const archive::ResultModel& record : model_.volumes[0].records) {
      offsets.push_back(bytes.size());
      archive::AppendResult(record, 3, &bytes);
    }
    model_.index.emplace();
    model_.index->label = Label(archive::kIndexPart);
    for (const std::size_t record : records) {
      model_.index->records.push_back(
          {model_.volumes[0].records[record].time, 0, 808, offsets[record]});
    }
    return *this;
  }

  // Index entries for each of so many records, from the first of each volume on.
  Plan& IndexEvery(std::size_t distance) {
    model_.index.emplace();
    model_.index->label = Label(archive::kIndexPart);
    for (const auto& [part, volume] : model_.volumes) {
      archive::Buffer bytes;
      archive::AppendLabel(volume.label, &bytes);
      for (std::size_t i = 0; i < volume.records.size(); ++i) {
        const archive::ResultModel& record = volume.records[i];
        if (i % distance == 0) {
          model_.index->records.push_back({record.time, part, 808, bytes.size()});
        }
        archive::AppendResult(record, 3, &bytes);
      }
    }
    return *this;
  }

  archive::ArchiveModel& model() { return model_; }

  void Store(const std::string& name, archive::MemoryStorage* storage) const {
    for (auto& [part, bytes] : EncodeArchive(model_)) {
      storage->files[name + "." + archive::PartSuffix(part)] = bytes;
    }
  }

 private:
  static archive::LabelModel Label(archive::Part part) {
    archive::LabelModel label;
    label.version = 3;
    label.pid = 1;
    label.volume = part;
    label.host = "h";
    label.timezone = "UTC";
    return label;
  }

  archive::ArchiveModel model_;
  archive::Part volume_ = 0;
};

inline archive::ValueSetModel U32(std::uint32_t item, std::uint32_t value,
                                  std::int32_t instance = kInstanceNull) {
  return {Pmid::Of(29, 0, item), archive::kInsitu, {{instance, value}}, 0};
}
inline archive::ValueSetModel Instances(
    std::uint32_t item, const std::vector<std::pair<std::int32_t, std::uint32_t>>& all) {
  archive::ValueSetModel set{Pmid::Of(29, 0, item), archive::kInsitu, {}, 0};
  for (const auto& [instance, value] : all) set.values.push_back({instance, value});
  return set;
}
inline archive::ValueSetModel Text(std::uint32_t item, const std::string& text) {
  return {Pmid::Of(29, 0, item),
          archive::kDynamic,
          {{kInstanceNull, archive::BlockModel{static_cast<std::uint8_t>(MetricType::kString), text,
                                               std::nullopt}}},
          0};
}
inline archive::ValueSetModel Double(std::uint32_t item, double value) {
  std::string bytes(8, '\0');
  StoreU64(reinterpret_cast<std::uint8_t*>(bytes.data()), std::bit_cast<std::uint64_t>(value));
  return {Pmid::Of(29, 0, item),
          archive::kDynamic,
          {{kInstanceNull, archive::BlockModel{static_cast<std::uint8_t>(MetricType::kDouble),
                                               bytes, std::nullopt}}},
          0};
}
inline archive::ValueSetModel Error(std::uint32_t item, std::int32_t code) {
  return {Pmid::Of(29, 0, item), 0, {}, code};
}

}  // namespace pmproof::replay::testing

#endif  // PMPROOF_REFERENCE_REPLAY_TESTING_PLAN_H_
