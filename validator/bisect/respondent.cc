// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/respondent.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "validator/replay/value_text.h"
#include "validator/testee/client/interp_reply.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

using Kind = NotAnswered::Kind;

Kind KindOf(NoAnswer::Kind kind) {
  switch (kind) {
    case NoAnswer::Kind::kCrash:
      return Kind::kCrash;
    case NoAnswer::Kind::kTimeout:
      return Kind::kTimeout;
    case NoAnswer::Kind::kProtocol:
      break;
  }
  return Kind::kProtocol;
}

Kind KindOf(InterpReply::Kind kind) {
  switch (kind) {
    case InterpReply::Kind::kReject:
      return Kind::kReject;
    case InterpReply::Kind::kSkip:
      return Kind::kSkip;
    case InterpReply::Kind::kError:
      return Kind::kError;
    case InterpReply::Kind::kCrash:
      return Kind::kCrash;
    case InterpReply::Kind::kTimeout:
      return Kind::kTimeout;
    case InterpReply::Kind::kResult:
    case InterpReply::Kind::kProtocol:
    case InterpReply::Kind::kOutOfStep:
      break;
  }
  return Kind::kProtocol;
}

// "-1.500000000".
std::string DeltaText(replay::Delta delta) {
  const bool negative = replay::DirectionOf(delta) < 0;
  if (negative) delta = {-delta.seconds, -delta.nanoseconds};
  return (negative ? "-" : "") + TimeText({delta.seconds, delta.nanoseconds});
}

Json NamesOf(const Question& question, const std::vector<std::size_t>& metrics) {
  Json names = Json::array();
  for (const std::size_t metric : metrics) names.push_back(question.archive->NameOf(metric));
  return names;
}

InterpAsked AskedBy(const Question& question, const std::string& seq) {
  InterpAsked asked;
  asked.seq = seq;
  std::size_t instances = 0;
  const auto& metrics = question.archive->log().metrics();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Descriptor& descriptor = metrics[i].descriptor;
    asked.metrics.push_back({descriptor.pmid, question.archive->NameOf(i), descriptor.type});
    instances += std::max<std::size_t>(1, metrics[i].instances.size());
  }
  for (const Timestamp time : TimesOf(question)) asked.times.push_back(time.Normalised());
  for (const ScriptStep& step : question.steps) asked.lists.push_back(step.metrics);
  asked.most_values = (2 * instances + 64) * question.steps.size();
  return asked;
}

}  // namespace

TesteeRespondent::TesteeRespondent(Adapter adapter, std::string folder)
    : adapter_(std::move(adapter)),
      folder_(std::move(folder)),
      output_(archive::MakePosixOutput({.durable = false})) {}

TesteeRespondent::~TesteeRespondent() { RemoveWritten(); }

std::string TesteeRespondent::RequestOf(const Question& question, const std::string& path,
                                        const std::string& seq) {
  Json fetches = Json::array();
  for (const ScriptStep& step : question.steps) {
    Json fetch = {{"metrics", NamesOf(question, step.metrics)}};
    if (step.seek) {
      fetch["time"] = TimeText(step.seek->time);
      fetch["interval"] = DeltaText(step.seek->delta);
    }
    fetches.push_back(std::move(fetch));
  }
  Json args = {{"metrics", NamesOf(question, question.steps.front().metrics)},
               {"fetches", std::move(fetches)}};
  return DumpJson({{"cmd", "run"},
                   {"seq", seq},
                   {"op", "replay.interp"},
                   {"input", {{"path", path}}},
                   {"args", std::move(args)}},
                  -1);
}

void TesteeRespondent::RemoveWritten() {
  if (written_ == nullptr) return;
  for (const auto& [file, bytes] : written_->files()->files) {
    std::error_code error;
    std::filesystem::remove(folder_ + "/" + std::to_string(archives_) + "/" + file, error);
  }
  std::error_code error;
  std::filesystem::remove(folder_ + "/" + std::to_string(archives_), error);
  written_.reset();
}

// Each archive in a folder of its own: an implementation may remember what it opened by its path.
Result<std::string> TesteeRespondent::PathOf(const Question& question) {
  const QuestionArchive& archive = *question.archive;
  if (archive.files() == nullptr) return archive.name();
  if (written_ != question.archive) {
    RemoveWritten();
    const std::string folder = folder_ + "/" + std::to_string(++archives_);
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    if (auto unwritten =
            WriteFiles(*output_, folder + "/" + archive.name(), *archive.files(), {})) {
      return tl::unexpected(*unwritten);
    }
    written_ = question.archive;
  }
  return folder_ + "/" + std::to_string(archives_) + "/" + archive.name();
}

tl::expected<AnswerCells, NotAnswered> TesteeRespondent::Ask(const Question& question) {
  const auto path = PathOf(question);
  if (!path) return tl::unexpected(NotAnswered{Kind::kError, path.error().ToText()});
  const InterpAsked asked = AskedBy(question, "k" + std::to_string(++seq_));
  adapter_.Send(RequestOf(question, *path, asked.seq) + '\n');
  const auto line = adapter_.Receive();
  if (!line) return tl::unexpected(NotAnswered{KindOf(line.error().kind), line.error().text});
  const InterpReply reply = ReadInterpReply(*line, asked);
  if (reply.kind == InterpReply::Kind::kOutOfStep) adapter_.Drop();
  if (reply.kind != InterpReply::Kind::kResult) {
    return tl::unexpected(NotAnswered{KindOf(reply.kind), reply.text});
  }
  return CellsOf(reply.fetches);
}

}  // namespace pmproof::validator
