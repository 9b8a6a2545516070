// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/play.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "validator/agent/session.h"

namespace pmproof::validator::agent {
namespace {

using Kind = ExchangeStep::Kind;

bool IsTheAgents(Kind kind) {
  switch (kind) {
    case Kind::kReceived:
    case Kind::kNoPdu:
    case Kind::kNothing:
    case Kind::kEndOfFile:
    case Kind::kExit:
      return true;
    case Kind::kStart:
    case Kind::kSent:
    case Kind::kCloseRequests:
    case Kind::kCloseReplies:
    case Kind::kKill:
    case Kind::kGone:
      break;
  }
  return false;
}

class Player {
 public:
  Player(const Subject& subject, const Recording& recording)
      : subject_(subject), recording_(recording) {
    log_.Record();
  }

  Played Play(const std::function<bool()>& stop) {
    Played played;
    for (std::size_t i = 0; i < recording_.steps.size() && played.stopped.empty(); ++i) {
      const ExchangeStep& step = recording_.steps[i];
      if (stop && stop()) {
        played.stopped = "interrupted";
        break;
      }
      const std::size_t before = log_.recording()->steps.size();
      if (std::string wrong = Do(i); !wrong.empty()) {
        (i == 0 ? played.failure : played.stopped) = std::move(wrong);
        break;
      }
      const auto& now = log_.recording()->steps;
      if (now.size() == before) {
        played.stopped = log_.recording()->not_repeatable.empty()
                             ? "the agent cannot be asked any more"
                             : "the exchange is longer than what was recorded";
        break;
      }
      played.at.push_back(now.size() - 1);
      played.steps.push_back(IsTheAgents(step.kind) ? Compare(step, now.back()) : Comparison());
      if (IsTheAgents(step.kind) && step.kind != Kind::kExit && now.back().kind != step.kind) {
        played.stopped = "from here on there is nothing to compare";
      }
    }
    sessions_.clear();
    played.now = log_.recording()->steps;
    played.said = log_.Outputs();
    return played;
  }

 private:
  // Empty, or why the step cannot be made. It shows in the recording of the log.
  std::string Do(std::size_t i) {
    const ExchangeStep& step = recording_.steps[i];
    if (step.kind == Kind::kStart) return Start(step);
    const auto found = sessions_.find(step.agent);
    if (found == sessions_.end()) return "there is no such agent";
    Session& session = found->second;
    switch (step.kind) {
      case Kind::kSent:
        if (i > 0 && IsPiece(recording_.steps[i - 1])) {
          std::this_thread::sleep_for(session.limits().piece);
        }
        session.Send(Bytes(step.bytes));
        break;
      case Kind::kReceived:
      case Kind::kNoPdu:
      case Kind::kEndOfFile:
        (void)session.Next();
        break;
      case Kind::kNothing: {
        const auto recorded = static_cast<Limits::Duration::rep>(step.milliseconds);
        (void)session.Next(std::min(Limits::Duration(recorded), session.limits().late));
        break;
      }
      case Kind::kCloseRequests:
        session.CloseRequests();
        break;
      case Kind::kCloseReplies:
        session.CloseReplies();
        break;
      case Kind::kKill:
        session.Kill();
        break;
      case Kind::kExit:
        session.WaitForEnd();
        break;
      case Kind::kGone:
        sessions_.erase(found);
        break;
      case Kind::kStart:
        break;
    }
    return "";
  }

  // A part of a PDU, after which nothing was waited for.
  static bool IsPiece(const ExchangeStep& step) {
    return step.kind == Kind::kSent && step.bytes.size() < pdu::kHeaderSize;
  }

  std::string Start(const ExchangeStep& step) {
    subjects_.push_back(With(subject_, step.words));
    auto session = Session::Start(subjects_.back(), step.agent, &log_);
    if (!session) return session.error().because;
    sessions_.emplace(step.agent, *std::move(session));
    return "";
  }

  const Subject& subject_;
  const Recording& recording_;
  ExchangeLog log_{};
  std::deque<Subject> subjects_{};
  std::map<unsigned, Session> sessions_{};
};

}  // namespace

Played Play(const Subject& subject, const Recording& recording, const std::function<bool()>& stop) {
  return Player(subject, recording).Play(stop);
}

}  // namespace pmproof::validator::agent
