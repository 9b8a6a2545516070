// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/transcript.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/pmda/pdu/pdu.h"
#include "reference/pmda/transport/memory_transport.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::validator::agent {
namespace {

using Kind = ExchangeStep::Kind;
using pmda::Deadline;

// As pmda::ExitStatus::ToText() writes it.
std::optional<pmda::ExitStatus> ParseExit(std::string_view text) {
  constexpr std::string_view kSignal = "signal ";
  constexpr std::string_view kStatus = "exit status ";
  pmda::ExitStatus exit{.by_signal = text.starts_with(kSignal)};
  if (!exit.by_signal && !text.starts_with(kStatus)) return std::nullopt;
  text.remove_prefix(exit.by_signal ? kSignal.size() : kStatus.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exit.number);
  if (error != std::errc()) return std::nullopt;
  return exit;
}

// CREDS and ATTR name the process that sends them.
bool SameRequest(const ExchangeStep& a, const ExchangeStep& b) {
  if (a.bytes == b.bytes) return true;
  if (a.bytes.size() < pdu::kHeaderSize || b.bytes.size() < pdu::kHeaderSize) return false;
  const pdu::PduType type = pdu::LoadHeader(a.bytes).type;
  return type == pdu::LoadHeader(b.bytes).type &&
         (type == pdu::PduType::kCreds || type == pdu::PduType::kAttr);
}

}  // namespace

class Transcript::Agent final : public AgentInMemory {
 public:
  Agent(Transcript* transcript, std::size_t number)
      : transcript_(*transcript), number_(number), pair_(pmda::MakeMemoryPair()) {
    pair_.collector->OnStall([this] { return Work(); });
  }

  std::unique_ptr<pmda::Transport> TakeTransport() override { return std::move(pair_.collector); }

  std::optional<pmda::ExitStatus> Exit() override {
    transcript_.Follow();
    const std::size_t at = transcript_.done_[number_];
    if (at >= steps().size()) return std::nullopt;
    const ExchangeStep& next = *steps()[at];
    const bool tells = next.kind == Kind::kEndOfFile || next.kind == Kind::kExit;
    return tells ? ParseExit(next.text) : std::nullopt;
  }

  pid_t process() const override {
    for (const ExchangeStep* step : steps()) {
      if (step->kind != Kind::kReceived || step->bytes.size() < pdu::kHeaderSize) continue;
      return pdu::LoadHeader(step->bytes).from;
    }
    return 0;
  }

 private:
  const std::vector<const ExchangeStep*>& steps() const { return transcript_.agents_[number_]; }

  bool Work() {
    bool worked = false;
    std::uint8_t buffer[4096];
    while (pair_.agent->Read(buffer, Deadline::Passed()).size > 0) worked = true;
    transcript_.Follow();
    if (transcript_.left_) return worked;
    at_ = std::max(at_, transcript_.done_[number_]);
    for (; at_ < steps().size(); ++at_, written_ = 0) {
      const ExchangeStep& step = *steps()[at_];
      const bool says = step.kind == Kind::kReceived || step.kind == Kind::kNoPdu;
      if (!says && step.kind != Kind::kEndOfFile) break;
      const Bytes rest = Bytes(step.bytes).subspan(written_);
      const std::size_t size = rest.empty() ? 0 : pair_.agent->Write(rest, Deadline::Passed()).size;
      written_ += size;
      worked |= size > 0;
      if (size < rest.size()) return worked;
      if (step.kind != Kind::kEndOfFile) continue;
      pair_.agent->CloseWriting();
      worked = true;
    }
    const bool over = at_ >= steps().size() || steps()[at_]->kind == Kind::kGone;
    if (!worked && over && transcript_.done_[number_] >= at_) transcript_.left_ = true;
    return worked;
  }

  Transcript& transcript_;
  std::size_t number_;
  pmda::MemoryPair pair_;
  std::size_t at_ = 0;       // the step that is made next
  std::size_t written_ = 0;  // bytes of it
};

Transcript::Transcript(const std::vector<ExchangeStep>& steps, const ExchangeLog& log) : log_(log) {
  for (const ExchangeStep& step : steps) {
    if (step.agent > agents_.size()) agents_.resize(step.agent);
    if (step.kind != Kind::kStart) agents_[step.agent - 1].push_back(&step);
  }
  done_.resize(agents_.size());
}

std::unique_ptr<AgentInMemory> Transcript::Start() {
  if (started_ == agents_.size()) {
    left_ = true;
    agents_.emplace_back();
    done_.push_back(0);
  }
  return std::make_unique<Agent>(this, started_++);
}

bool Transcript::left() {
  Follow();
  return left_;
}

void Transcript::Follow() {
  const auto& now = log_.recording()->steps;
  for (; followed_ < now.size(); ++followed_) {
    const ExchangeStep& step = now[followed_];
    // That the check is done with an agent sooner than it was is no more than that.
    if (step.kind == Kind::kStart || step.kind == Kind::kGone) continue;
    if (step.agent > agents_.size() || done_[step.agent - 1] >= agents_[step.agent - 1].size()) {
      left_ = true;
      continue;
    }
    const ExchangeStep& then = *agents_[step.agent - 1][done_[step.agent - 1]++];
    if (then.kind != step.kind || (step.kind == Kind::kSent && !SameRequest(then, step))) {
      left_ = true;
    }
  }
}

}  // namespace pmproof::validator::agent
