// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_TESTING_EDIT_PLAN_H_
#define PMPROOF_VALIDATOR_AGAINST_TESTING_EDIT_PLAN_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <variant>

#include "generators/archive_image.h"
#include "generators/transform.h"

// Edits of the base archive (ARC-1000): its index stays right.

namespace pmproof::validator::against {

inline Timestamp At(std::int64_t second, std::int32_t nanoseconds = 0) {
  return {generators::kBaseTime + second, nanoseconds};
}

// The entries of the index follow a record that is put in or taken out.
inline void MoveEntries(generators::ArchivePlan& plan, std::size_t record, int by) {
  for (generators::PlannedIndexEntry& entry : plan.index) {
    if (entry.data_record > record || (by > 0 && entry.data_record >= record)) {
      entry.data_record += static_cast<std::size_t>(by);
    }
  }
}

inline void MoveMeta(generators::ArchivePlan& plan, std::size_t record, int by) {
  for (generators::PlannedIndexEntry& entry : plan.index) {
    if (entry.meta_record > record || (by > 0 && entry.meta_record > 0)) {
      entry.meta_record += static_cast<std::size_t>(by);
    }
  }
}

template <typename Model>
Model& Nth(generators::ArchivePlan& plan, std::size_t n = 0) {
  for (archive::MetaRecordModel& record : plan.meta) {
    if (auto* model = std::get_if<Model>(&record); model != nullptr && n-- == 0) return *model;
  }
  ADD_FAILURE() << "no such record";
  std::abort();
}

template <typename Model>
void EraseNth(generators::ArchivePlan& plan, std::size_t n = 0) {
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    if (!std::holds_alternative<Model>(plan.meta[i]) || n-- > 0) continue;
    plan.meta.erase(plan.meta.begin() + static_cast<std::ptrdiff_t>(i));
    MoveMeta(plan, i, -1);
    return;
  }
}

inline archive::ValueSetModel& SetOf(archive::ResultModel& result, std::uint32_t item) {
  for (archive::ValueSetModel& set : result.sets) {
    if (set.pmid == Pmid::Of(29, 0, item)) return set;
  }
  ADD_FAILURE() << "no such metric";
  std::abort();
}

inline void EraseSet(archive::ResultModel& result, std::uint32_t item) {
  std::erase_if(result.sets, [&](const archive::ValueSetModel& set) {
    return set.pmid == Pmid::Of(29, 0, item);
  });
}

inline void InsertRecord(generators::ArchivePlan& plan, std::size_t before,
                         archive::ResultModel result) {
  std::vector<archive::ResultModel>& records = plan.volumes[0];
  records.insert(records.begin() + static_cast<std::ptrdiff_t>(before), std::move(result));
  MoveEntries(plan, before, 1);
}

inline void EraseRecord(generators::ArchivePlan& plan, std::size_t record) {
  std::vector<archive::ResultModel>& records = plan.volumes[0];
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(record));
  MoveEntries(plan, record, -1);
}

// Records `begin` to `end` of the archive as one of its own.
inline generators::ArchivePlan Window(const generators::ArchivePlan& plan, std::size_t begin,
                                      std::size_t end) {
  generators::ArchivePlan window = plan;
  const std::vector<archive::ResultModel>& records = plan.volumes.at(0);
  window.volumes[0] = {records.begin() + static_cast<std::ptrdiff_t>(begin),
                       records.begin() + static_cast<std::ptrdiff_t>(end)};
  window.label.start = records[begin].time;
  return generators::IndexEvery(std::move(window), 0);
}

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_TESTING_EDIT_PLAN_H_
