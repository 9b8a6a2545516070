// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/testee_side.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reference/core/utf8.h"
#include "validator/replay/value_text.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::MetricAnswer;
using Kind = NotAnswered::Kind;

constexpr const char* kOperation = "replay.interp";

// After so much trouble without a result between, an adapter is given up. A refusal costs a request
// only, waiting for what does not come a minute.
constexpr int kMostTrouble = 66;
constexpr int kTroubleOfRefusal = 1;
constexpr int kTroubleOfLoss = 22;

bool IsUtf8(std::string_view text) { return FirstInvalidUtf8(text) == text.size(); }

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

// A request of the protocol, on its way.
struct Question {
  std::vector<std::size_t> positions;  // in SideTask::metrics
  InterpAsked asked;
  std::string line;  // to be sent
  std::optional<tl::expected<std::string, NoAnswer>> answer;
};

// What came of it.
struct Outcome {
  std::optional<InterpReply> result;
  NotAnswered why;        // without a result
  bool divisible = true;  // whether a part of the metrics may be answered all the same
};

}  // namespace

// All requests about one archive.
class TesteeSide::Work {
 public:
  Work(TesteeSide& side, const SideTask& task) : side_(side), task_(task) {
    if (const auto started = side.adapter_.Start(); !started) {
      given_up_ = {KindOf(started.error().kind), started.error().text};
    } else if (!side.adapter_.hello().Has(kOperation)) {
      given_up_ = {Kind::kSkip, std::string("its capabilities lack ") + kOperation};
    }
    for (const std::string& path : task.paths) {
      if (!IsUtf8(path)) given_up_ = {Kind::kSkip, "the path of the archive is not UTF-8"};
    }
  }

  void Answer(std::span<const SideRequest> requests, const SideSink& sink) {
    if (requests.empty()) return;
    next_ = Ask(requests[0]);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      std::optional<Question> now = std::exchange(next_, std::nullopt);
      if (now) Receive(&*now);
      if (i + 1 < requests.size()) next_ = Ask(requests[i + 1]);
      if (!Emit(requests[i], Resolve(requests[i], now), sink)) break;
    }
    // An answer that nobody waits for any more is in the way of the next archive.
    if (next_) side_.adapter_.Drop();
  }

  void AnswerPoints(std::size_t of, const PointsRequest& request, const PointSink& sink) {
    std::optional<InterpReply> result;
    if (!given_up_ && IsUtf8(request.name.metric)) result = Ended(AskPoints(request)).result;
    for (std::size_t at = 0; at < request.times.size(); ++at) {
      const bool any = result && !result->fetches[at].metrics.empty();
      sink(of, at, any ? &result->fetches[at].metrics.front() : nullptr);
    }
  }

 private:
  // What is known of a request in the end: parts of its metrics that were answered together, and
  // for each of the others why it was not.
  struct Resolved {
    struct Part {
      std::vector<std::size_t> positions;
      InterpReply reply;
    };
    std::vector<Part> parts;
    std::vector<Reason> reasons;  // by SideRequest::first; empty if all was answered
  };

  bool HasName(std::size_t position) const {
    const auto known = task_.archive.metrics().find(task_.metrics[position].descriptor.pmid);
    return known != task_.archive.metrics().end() && !known->second.names.empty() &&
           IsUtf8(task_.metrics[position].name);
  }

  // The request as a question about all metrics that have a name; nothing if there are none, or no
  // adapter.
  std::optional<Question> Ask(const SideRequest& request) {
    std::vector<std::size_t> positions;
    for (std::size_t i = request.first; i < request.last; ++i) {
      if (HasName(i)) positions.push_back(i);
    }
    if (given_up_ || positions.empty()) return std::nullopt;
    Question question = Made(request, std::move(positions));
    side_.adapter_.Send(question.line);
    return question;
  }

  Question Made(const SideRequest& request, std::vector<std::size_t> positions) {
    Question question;
    Json metrics = Json::array();
    std::size_t values = 0;
    for (const std::size_t position : positions) {
      const ComparedMetric& metric = task_.metrics[position];
      question.asked.metrics.push_back(
          {metric.descriptor.pmid, metric.name, metric.descriptor.type});
      metrics.push_back(metric.name);
      values += InstancesOf(task_.archive, metric.descriptor);
    }
    question.positions = std::move(positions);
    for (std::uint64_t k = 0; k < request.count; ++k) {
      question.asked.times.push_back(request.TimeOf(k).Normalised());
    }
    // An implementation may know of instances that no record lists.
    question.asked.most_values = (2 * values + 64) * request.count;
    Finish({{"metrics", std::move(metrics)},
            {"start", TimeText(request.start)},
            {"interval", TimeText(Timestamp{} + request.interval)},
            {"count", request.count}},
           &question);
    return question;
  }

  Question AskPoints(const PointsRequest& request) {
    Question question;
    const Descriptor& descriptor = request.name.descriptor;
    question.asked.metrics.push_back({descriptor.pmid, request.name.metric, descriptor.type});
    question.asked.times = request.times;
    question.asked.most_values = 64 * request.times.size();
    Json fetches = Json::array();
    for (const Timestamp time : request.times) {
      fetches.push_back({{"time", TimeText(time)}, {"interval", "1"}});
    }
    Json args = {{"metrics", {request.name.metric}}, {"fetches", std::move(fetches)}};
    if (!descriptor.indom.IsNull()) args["instances"] = {request.name.instance};
    Finish(std::move(args), &question);
    side_.adapter_.Send(question.line);
    return question;
  }

  void Finish(Json args, Question* question) {
    if (side_.counter_wrap_) args["counter_wrap"] = true;
    question->asked.seq = "k" + std::to_string(++side_.seq_);
    Json input = Json::object();
    if (task_.paths.size() == 1) {
      input["path"] = task_.paths.front();
    } else {
      input["paths"] = task_.paths;
    }
    question->line = DumpJson({{"cmd", "run"},
                               {"seq", question->asked.seq},
                               {"op", kOperation},
                               {"input", std::move(input)},
                               {"args", std::move(args)}},
                              -1) +
                     '\n';
  }

  void Receive(Question* question) {
    if (!question->answer) question->answer = side_.adapter_.Receive();
  }

  Outcome Ended(Question question) {
    Receive(&question);
    if (!*question.answer) {
      NoAnswer& why = question.answer->error();
      return Noted({std::nullopt, {KindOf(why.kind), std::move(why.text)}, false});
    }
    InterpReply reply = ReadInterpReply(**question.answer, question.asked);
    if (reply.kind == InterpReply::Kind::kOutOfStep) {
      side_.adapter_.Drop();
      if (next_ && !next_->answer) side_.adapter_.Send(next_->line);
    }
    if (reply.kind != InterpReply::Kind::kResult) {
      return Noted({std::nullopt,
                    {KindOf(reply.kind), std::move(reply.text)},
                    reply.kind != InterpReply::Kind::kOutOfStep});
    }
    return Noted({std::move(reply), {}});
  }

  Outcome Noted(Outcome outcome) {
    const bool loss = !outcome.divisible || outcome.why.kind == Kind::kTimeout;
    trouble_ = outcome.result ? 0 : trouble_ + (loss ? kTroubleOfLoss : kTroubleOfRefusal);
    if (trouble_ >= kMostTrouble && !given_up_) {
      given_up_ = {outcome.why.kind, "given up, at last since: " + outcome.why.text};
    }
    return outcome;
  }

  Resolved Resolve(const SideRequest& request, std::optional<Question>& question) {
    Resolved resolved;
    if (!question) {
      const bool nameless = !given_up_;
      const Reason why = nameless ? Nameless() : ReasonOf(*given_up_);
      resolved.reasons.assign(request.last - request.first, why);
      return resolved;
    }
    if (question->positions.size() < request.last - request.first) {
      resolved.reasons.assign(request.last - request.first, Nameless());
      for (const std::size_t i : question->positions) resolved.reasons[i - request.first] = nullptr;
    }
    std::vector<std::size_t> positions = question->positions;
    Add(request, std::move(positions), Ended(*std::move(question)), &resolved);
    return resolved;
  }

  void Add(const SideRequest& request, std::vector<std::size_t> positions, Outcome outcome,
           Resolved* resolved) {
    if (outcome.result) {
      resolved->parts.push_back({std::move(positions), *std::move(outcome.result)});
      return;
    }
    const std::size_t half = positions.size() / 2;
    if (half == 0 || !outcome.divisible || given_up_) {
      resolved->reasons.resize(request.last - request.first);
      const Reason why = ReasonOf(outcome.why);
      for (const std::size_t i : positions) resolved->reasons[i - request.first] = why;
      return;
    }
    // One request at a time: the answer to the next one comes first.
    if (next_) Receive(&*next_);
    const auto middle = positions.begin() + static_cast<std::ptrdiff_t>(half);
    for (std::vector<std::size_t> part :
         {std::vector(positions.begin(), middle), std::vector(middle, positions.end())}) {
      Outcome ended = outcome;
      if (!given_up_) {
        Question question = Made(request, part);
        side_.adapter_.Send(question.line);
        ended = Ended(std::move(question));
      }
      Add(request, std::move(part), std::move(ended), resolved);
    }
  }

  Reason ReasonOf(const NotAnswered& why) { return side_.reasons_.Of(why.kind, why.text); }
  Reason Nameless() {
    return side_.reasons_.Of(Kind::kSkip, "the metric has no name that can be asked for");
  }

  static bool Emit(const SideRequest& request, Resolved resolved, const SideSink& sink) {
    const std::size_t count = request.last - request.first;
    if (resolved.parts.size() == 1 && resolved.parts.front().positions.size() == count) {
      for (const FetchAnswer& fetch : resolved.parts.front().reply.fetches) {
        if (!sink(fetch, {})) return false;
      }
      return true;
    }
    for (std::uint64_t k = 0; k < request.count; ++k) {
      FetchAnswer fetch;
      fetch.time = request.TimeOf(k);
      fetch.metrics.resize(count);
      bool outside = !resolved.parts.empty();
      for (Resolved::Part& part : resolved.parts) {
        FetchAnswer& answered = part.reply.fetches[k];
        outside = outside && answered.status != ErrorCode::kOk;
        for (std::size_t i = 0; i < part.positions.size(); ++i) {
          MetricAnswer& to = fetch.metrics[part.positions[i] - request.first];
          if (answered.status != ErrorCode::kOk) {
            to.status = answered.status;
          } else {
            to = std::move(answered.metrics[i]);
          }
        }
      }
      if (outside) fetch = {fetch.time, ErrorCode::kEndOfLog, {}};
      if (!sink(fetch, resolved.reasons)) return false;
    }
    return true;
  }

  TesteeSide& side_;
  const SideTask& task_;
  std::optional<Question> next_;  // was sent, and is not read yet
  std::optional<NotAnswered> given_up_;
  int trouble_ = 0;  // since the last result
};

std::optional<Status> TesteeSide::Answer(const SideTask& task,
                                         std::span<const SideRequest> requests,
                                         const SideSink& sink) {
  Work(*this, task).Answer(requests, sink);
  return std::nullopt;
}

std::optional<Status> TesteeSide::AnswerPoints(const SideTask& task,
                                               std::span<const PointsRequest> requests,
                                               const PointSink& sink) {
  Work work(*this, task);
  for (std::size_t of = 0; of < requests.size(); ++of) work.AnswerPoints(of, requests[of], sink);
  return std::nullopt;
}

}  // namespace pmproof::validator
