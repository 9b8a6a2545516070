// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/plan_question.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

#include "reference/archive/archive_model.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kMemory = std::size_t{16} << 20;
constexpr const char* kName = "generated";

void MoveTo(std::int64_t start, archive::ArchiveModel* model) {
  const auto move = [start](Timestamp* time) { time->seconds += start; };
  move(&model->meta.label.start);
  for (archive::MetaRecordModel& record : model->meta.records) {
    if (auto* indom = std::get_if<archive::IndomModel>(&record)) move(&indom->time);
  }
  for (auto& [part, volume] : model->volumes) {
    move(&volume.label.start);
    for (archive::ResultModel& record : volume.records) move(&record.time);
  }
  if (!model->index) return;
  move(&model->index->label.start);
  for (archive::IndexEntryModel& entry : model->index->records) move(&entry.time);
}

}  // namespace

Timestamp GeneratedTime(double seconds) {
  return Timestamp{kGeneratedStart, 0} + std::llround(seconds * 1e9);
}

replay::Delta StepOf(double seconds) {
  const std::int64_t nanoseconds = std::llround(seconds * 1e9);
  return {nanoseconds / 1'000'000'000, static_cast<std::int32_t>(nanoseconds % 1'000'000'000)};
}

PlanQuestion::PlanQuestion(const replay::testing::Plan& plan,
                           const std::vector<std::uint32_t>& items)
    : all_(items.size()) {
  std::iota(all_.begin(), all_.end(), 0);
  replay::testing::Plan moved = plan;
  MoveTo(kGeneratedStart, &moved.model());
  NamedFiles files;
  for (auto& [part, bytes] : archive::EncodeArchive(moved.model())) {
    files.files[std::string(kName) + "." + archive::PartSuffix(part)] = std::move(bytes);
  }
  std::vector<Pmid> metrics;
  for (const std::uint32_t item : items) metrics.push_back(Pmid::Of(29, 0, item));
  auto archive = QuestionArchive::Of(kName, std::move(files), metrics, kMemory);
  if (archive) question_.archive = *std::move(archive);
}

PlanQuestion& PlanQuestion::From(double start, double step) {
  seek_ = {GeneratedTime(start), StepOf(step)};
  return *this;
}

PlanQuestion& PlanQuestion::Fetch(int count) {
  for (; count > 0; --count) FetchOf(all_);
  return *this;
}

PlanQuestion& PlanQuestion::FetchOf(std::vector<std::size_t> metrics) {
  question_.steps.push_back({std::exchange(seek_, std::nullopt), std::move(metrics)});
  return *this;
}

std::optional<Question> PlanQuestion::Done() {
  if (question_.archive == nullptr) return std::nullopt;
  return std::move(question_);
}

}  // namespace pmproof::validator
