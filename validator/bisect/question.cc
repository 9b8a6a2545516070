// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/question.h"

#include <algorithm>

#include "validator/replay/value_text.h"

namespace pmproof::validator {

using replay::emulation::EmulatedFetch;
using replay::emulation::EmulatedMetric;
using replay::emulation::RecordLog;

Result<std::shared_ptr<const QuestionArchive>> QuestionArchive::Of(std::string name,
                                                                   NamedFiles files,
                                                                   const std::vector<Pmid>& metrics,
                                                                   std::size_t memory) {
  std::shared_ptr<QuestionArchive> made(new QuestionArchive());
  made->generated_ = true;
  made->files_ = std::move(files);
  for (const auto& [file, bytes] : made->files_.files) {
    made->storage_.files[file].assign(bytes.begin(), bytes.end());
  }
  made->name_ = std::move(name);
  if (auto error = made->Load(made->storage_, metrics, memory)) return tl::unexpected(*error);
  return made;
}

Result<std::shared_ptr<const QuestionArchive>> QuestionArchive::Open(
    const archive::Storage& storage, const std::string& path, const std::vector<Pmid>& metrics,
    std::size_t memory) {
  std::shared_ptr<QuestionArchive> made(new QuestionArchive());
  made->name_ = path;
  if (auto error = made->Load(storage, metrics, memory)) return tl::unexpected(*error);
  return made;
}

std::optional<Status> QuestionArchive::Load(const archive::Storage& storage,
                                            const std::vector<Pmid>& metrics, std::size_t memory) {
  auto archive = replay::ReplayArchive::Open(storage, {name_});
  if (!archive) return archive.error();
  archive_ = *std::move(archive);
  auto log = RecordLog::Load(*archive_, metrics, memory);
  if (!log) return log.error();
  log_ = *std::move(log);
  for (const Pmid pmid : metrics) names_.emplace_back(archive_->metrics().at(pmid).names.front());
  return std::nullopt;
}

std::vector<Timestamp> TimesOf(const Question& question) {
  std::vector<Timestamp> times;
  Timestamp time;
  replay::Delta delta;
  for (const ScriptStep& step : question.steps) {
    if (step.seek) {
      time = step.seek->time;
      delta = step.seek->delta;
    }
    times.push_back(time);
    time = replay::Advance(time, delta, /*normalised=*/false);
  }
  return times;
}

void AppendCells(const replay::FetchAnswer& fetch, std::size_t number, AnswerCells* cells) {
  if (fetch.status != ErrorCode::kOk) {
    cells->push_back({{number}, ErrorText(fetch.status)});
    return;
  }
  for (std::size_t i = 0; i < fetch.metrics.size(); ++i) {
    const replay::MetricAnswer& metric = fetch.metrics[i];
    const auto place = static_cast<std::int32_t>(i);
    if (metric.status != ErrorCode::kOk) {
      cells->push_back({{number, place}, ErrorText(metric.status)});
      continue;
    }
    for (const replay::InstanceAnswer& value : metric.values) {
      cells->push_back({{number, place, value.instance}, ValueText(value.value)});
    }
  }
}

void AppendCells(const EmulatedFetch& fetch, std::size_t number, AnswerCells* cells) {
  replay::FetchAnswer answer{fetch.time, fetch.status, {}};
  for (const EmulatedMetric& metric : fetch.metrics) {
    replay::MetricAnswer& to = answer.metrics.emplace_back();
    to.status = static_cast<ErrorCode>(std::min(metric.numval, 0));
    if (metric.numval < 0) continue;
    for (const auto& value : metric.values) {
      to.values.push_back({value.instance, value.value, {}, std::nullopt});
    }
    std::ranges::stable_sort(to.values, {}, &replay::InstanceAnswer::instance);
  }
  AppendCells(answer, number, cells);
}

AnswerCells CellsOf(std::span<const replay::FetchAnswer> fetches) {
  AnswerCells cells;
  for (std::size_t i = 0; i < fetches.size(); ++i) AppendCells(fetches[i], i, &cells);
  return cells;
}

std::vector<AnswerCell> DifferingCells(const AnswerCells& one, const AnswerCells& other) {
  std::vector<AnswerCell> differing;
  auto a = one.begin();
  auto b = other.begin();
  while (a != one.end() || b != other.end()) {
    if (b == other.end() || (a != one.end() && a->first < b->first)) {
      differing.push_back((a++)->first);
    } else if (a == one.end() || b->first < a->first) {
      differing.push_back((b++)->first);
    } else {
      if (a->second != b->second) differing.push_back(a->first);
      ++a;
      ++b;
    }
  }
  return differing;
}

std::string TextAt(const AnswerCells& cells, const AnswerCell& cell) {
  const auto found =
      std::ranges::lower_bound(cells, cell, {}, &std::pair<AnswerCell, std::string>::first);
  return found == cells.end() || found->first != cell ? "" : found->second;
}

}  // namespace pmproof::validator
