// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/transfer.h"
#include "validator/agent/exit_text.h"

namespace pmproof::validator::agent {
namespace {

using pmda::Deadline;
using pmda::Transfer;
using Step = ExchangeStep::Kind;

// The largest PDU that is read: far above all that an agent has to say, far below memory.
constexpr std::uint32_t kCeiling = std::uint32_t{64} << 20;

std::string Seconds(Limits::Duration duration) {
  const auto count = duration.count();
  std::string text = std::to_string(count / 1000);
  if (count % 1000 != 0) {
    std::string fraction = std::to_string(1000 + count % 1000).substr(1);
    while (fraction.ends_with('0')) fraction.pop_back();
    text += "." + fraction;
  }
  return text + " s";
}

std::vector<std::uint8_t> Copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

std::string Session::Unexpected(const pdu::Body& request, const Answer& answer, pdu::PduType due) {
  return Brief(request) + ": " + answer.ToText() + ", where " + ToText(due) + " is due";
}

Session::Session(const Subject& subject, unsigned number, ExchangeLog* log)
    : subject_(&subject),
      number_(number),
      log_(log),
      frames_(std::make_unique<pdu::FrameReader>(kCeiling)) {}

Session::~Session() {
  if (process_ || memory_) waits().WasEnded(End(waits().ForCleanUp(silent_)).by);
}

VerdictOr<Session> Session::Start(const Subject& subject, unsigned number, ExchangeLog* log) {
  Session session(subject, number, log);
  session.began_ = std::time(nullptr);
  log->Step({.kind = Step::kStart,
             .agent = number,
             .words = subject.command.words,
             .elsewhere = subject.command.environment || subject.command.user ||
                          !subject.command.directory.empty()});
  if (subject.in_memory) {
    session.memory_ = subject.in_memory(subject.command);
    session.transport_ = session.memory_->TakeTransport();
    log->Event(number, "agent started in memory");
    return session;
  }
  const Deadline deadline = Deadline::After(subject.limits.creds);
  auto process = pmda::AgentProcess::Start(subject.command, deadline);
  if (!process) return Failed("the agent cannot be started: " + process.error().ToText());
  session.process_ = std::make_unique<pmda::AgentProcess>(std::move(*process));
  log->Event(number, "agent started, process " + std::to_string(session.process_->process()));
  if (subject.pipe()) {
    session.transport_ = session.process_->TakeTransport();
    return session;
  }
  auto connected =
      pmda::Connect(*subject.address, deadline, [&] { return session.process_->running(); });
  if (!connected) {
    return Failed("the agent does not listen on " + subject.address->ToText() + ": " +
                  connected.error().ToText() +
                  (session.process_->running() ? "" : "; " + session.EndText()));
  }
  session.transport_ = *std::move(connected);
  log->Event(number, "connected to " + subject.address->ToText());
  return session;
}

VerdictOr<Session> Session::Open(const Subject& subject, unsigned number, ExchangeLog* log) {
  auto session = Start(subject, number, log);
  if (!session) return session;
  if (const auto shaken = session->Handshake(); !shaken) return tl::make_unexpected(shaken.error());
  return session;
}

Answer Session::First() { return Await(limits().creds, Due::kCreds); }

VerdictOr<AgentCreds> Session::ReceiveCreds() {
  const Answer first = First();
  const auto* const creds = first.As<pdu::Creds>();
  if (creds == nullptr) {
    return Failed("the first thing from the agent must be CREDS, but there is " + first.ToText());
  }
  if (creds->credentials.size() != 1 || creds->credentials[0].type != pdu::kVersionCredential) {
    return Failed("the agent's " + Brief(*creds) + " is not one version credential");
  }
  const pdu::Credential version = creds->credentials[0];
  flags_ = version.flags();
  if (process_) FindLog(first.header().from);
  return AgentCreds{.from = first.header().from, .version = version};
}

// `said`: the process that its CREDS name, which may be one that it started.
void Session::FindLog(pid_t said) {
  log_file_.FindBy(process_->process());
  if (log_file_.found() || said == process_->process()) return;
  const auto below = process_->descendants();
  if (std::ranges::find(below, said, &pmda::ProcessInfo::process) != below.end()) {
    log_file_.FindBy(said);
  }
}

std::vector<AgentOutput> Session::Output() {
  std::vector<AgentOutput> all;
  if (!process_) return all;
  const pmda::AgentLog said = process_->log();
  log_file_.FindBy(subject_->command, said.text, began_);
  if (auto logged = log_file_.Read()) all.push_back(*std::move(logged));
  AgentOutput output = OutputOf(said.text, said.total > said.text.size());
  output.from = subject_->pipe() ? "standard error" : "standard output and error";
  if (!output.lines.empty()) all.push_back(std::move(output));
  for (AgentOutput& one : all) one.agent = number_;
  return all;
}

void Session::SendCreds(std::uint8_t version) {
  const pdu::Credential credential =
      pdu::Credential::Version(version, static_cast<std::uint16_t>(flags_ & pdu::kFeatureAuth));
  Send(pdu::Creds{.credentials = std::span(&credential, 1)}, getpid());
}

VerdictOr<void> Session::ReceiveReady() {
  const Answer answer = Await(limits().late, Due::kAnswer);
  const auto* const error = answer.As<pdu::Error>();
  if (error != nullptr && error->code == pdu::kErrPmdaReady) return {};
  return Failed("the agent gives " + answer.ToText() + ", where ERROR " +
                CodeText(pdu::kErrPmdaReady) + " is due, unasked");
}

VerdictOr<void> Session::BecomeReady() {
  if (!subject_->says_ready) return {};
  return ReceiveReady();
}

void Session::Introduce(std::int32_t client) {
  if ((flags_ & (pdu::kFeatureAuth | pdu::kFeatureContainer)) == 0) return;
  const std::pair<pdu::Attribute, long long> attributes[] = {
      {pdu::Attribute::kProcessId, getpid()},
      {pdu::Attribute::kGroupId, getegid()},
      {pdu::Attribute::kUserId, geteuid()},
  };
  for (const auto& [attribute, number] : attributes) {
    const std::string value = std::to_string(number) + '\0';  // PDU-040
    Send(pdu::Attr{attribute, value}, client);
  }
}

VerdictOr<void> Session::Handshake() {
  const auto creds = ReceiveCreds();
  if (!creds) return tl::make_unexpected(creds.error());
  SendCreds();
  if (const auto ready = BecomeReady(); !ready) return ready;
  Introduce(0);
  audit_ = {};
  Send(pdu::Profile{});
  return {};
}

void Session::Send(const pdu::Body& body, std::int32_t from) {
  buffer_.clear();
  const auto encoded = pdu::Encode({.from = from, .body = body}, &buffer_);
  if (!encoded) {
    log_->Event(number_, "pmproof cannot encode this request: " + encoded.error().ToText());
    return;
  }
  if (pdu::AgentAnswers(pdu::TypeOf(body))) ++audit_.expected;
  Send(Bytes(buffer_));
}

void Session::Send(Bytes bytes) {
  log_->Sent(number_, bytes);
  unanswered_ += bytes.size();
  const Duration limit = waits().ForAnswer(limits().answer, unanswered_);
  const Deadline deadline = Deadline::After(limit);
  Transfer written = transport().Write(bytes, Deadline::Passed());
  for (;;) {
    bytes = bytes.subspan(written.size);
    if (bytes.empty()) return;
    if (!written.moved() && written.outcome != Transfer::Outcome::kTimeout) break;
    const auto ready = transport().Wait({.read = !ended_, .write = true}, deadline);
    if (!ready.read && !ready.write) {
      log_->Event(number_, "the agent did not take " + std::to_string(bytes.size()) +
                               " of these bytes within " + Seconds(limit));
      waits().WasSilent(limit);
      return;
    }
    // An agent that answers while it is written to must not stall (PDU-005).
    if (ready.read) Pull(Deadline::Passed());
    written = ready.write ? transport().Write(bytes, Deadline::Passed())
                          : Transfer{.outcome = Transfer::Outcome::kTimeout};
  }
  log_->Event(number_, "the agent does not take requests any more: " + pmda::ToText(written));
}

void Session::Kill() {
  log_->Event(number_, "agent killed");
  log_->Step({.kind = Step::kKill, .agent = number_});
  process_->Signal(SIGKILL);
  process_->WaitForExit(Deadline::After(limits().end));
}

VerdictOr<pmda::ProcessResources> Session::Resources() const {
  if (memory_) return Unchecked("the agent is not a process of its own");
  auto resources = process_->resources();
  if (!resources) return Failed("the agent's process: " + resources.error().ToText());
  return *resources;
}

std::chrono::nanoseconds Session::WaitedForProcessor() const {
  std::vector<pid_t> processes;
  if (process_) {
    processes.push_back(process_->process());
    for (const pmda::ProcessInfo& one : process_->descendants()) processes.push_back(one.process);
  }
  return pmda::WaitedForProcessor() + pmda::WaitedForProcessor(processes);
}

// False if nothing came before the deadline.
bool Session::Pull(Deadline deadline) {
  // What is beyond any PDU that is read will not be read: the agent floods.
  if (frames_->pending() > kCeiling) {
    log_->Event(number_, "the agent floods: nothing more is read of it");
    ended_ = true;
    return true;
  }
  const Transfer read = transport().Read(frames_->Space(), deadline);
  frames_->Commit(read.size);
  if (read.outcome == Transfer::Outcome::kTimeout) return false;
  if (!read.moved()) ended_ = true;
  return true;
}

Answer Session::Broken() {
  const std::string end = EndText();
  const std::string part = frames_->pending() > 0 ? "inside a PDU; " : "";
  log_->Event(number_, "end of file from the agent; " + part + end, frames_->unread());
  log_->Step({.kind = Step::kEndOfFile,
              .agent = number_,
              .bytes = Copy(frames_->unread()),
              .text = ExitText()});
  return Answer(Answer::Kind::kEnd, part + end);
}

Answer Session::Next() {
  Answer answer = Await(limits().answer, Due::kAnswer);
  lost_ = !answer.is_pdu();
  return answer;
}

Answer Session::Next(Duration limit) { return Await(limit, Due::kNothing); }

Answer Session::Await(Duration limit, Due due) {
  constexpr const char* kBudgetUsedUp = "the budget is used up";
  if (waits().used_up()) return Answer(Answer::Kind::kNothing, kBudgetUsedUp);
  const Duration patience = due == Due::kAnswer  ? waits().ForAnswer(limit, unanswered_)
                            : due == Due::kCreds ? waits().ForCreds(limit)
                                                 : waits().Within(limit);
  const Deadline deadline = Deadline::After(patience);
  for (;;) {
    const auto frame = frames_->Next();
    if (!frame) {
      constexpr std::size_t kShown = 64;
      const Bytes shown = frames_->unread().first(std::min(kShown, frames_->pending()));
      log_->NoPdu(number_, shown);
      return Answer(Answer::Kind::kNoFraming, frame.error().ToText());
    }
    if (frame->has_value()) {
      log_->Received(number_, **frame);
      ++audit_.received;
      unanswered_ = 0;
      return Answer(**frame);
    }
    if (ended_) return Broken();
    if (!Pull(deadline)) {
      const std::size_t pending = frames_->pending();
      log_->Step({.kind = Step::kNothing,
                  .agent = number_,
                  .bytes = Copy(frames_->unread()),
                  .milliseconds = static_cast<std::uint64_t>(patience.count())});
      if (pending > 0) log_->Event(number_, "a part of a PDU has come", frames_->unread());
      if (waits().used_up()) return Answer(Answer::Kind::kNothing, kBudgetUsedUp);
      const Duration before = due == Due::kCreds ? waits().silence_at_start() : waits().silence();
      if (due != Due::kNothing) silent_ = true;
      if (due == Due::kAnswer) waits().WasSilent(patience);
      if (due == Due::kCreds) waits().GaveNoCreds(patience);
      return Answer(
          Answer::Kind::kNothing,
          "within " + Seconds(patience) +
              (patience < limit ? ", as it was silent for " + Seconds(before) + " before" : "") +
              (pending > 0 ? ", but " + std::to_string(pending) + " bytes of one" : ""));
    }
  }
}

template <typename Again>
Answer Session::NextOfReady(Again&& again) {
  constexpr int kMostTimes = 3;
  const auto says = [](const Answer& answer, ErrorCode code) {
    const auto* const error = answer.As<pdu::Error>();
    return error != nullptr && error->code == code;
  };
  Answer answer = Next();
  for (int i = 0; i < kMostTimes && says(answer, pdu::kErrPmdaNotReady); ++i) {
    ExpectMore(1);
    const Answer ready = Await(limits().late, Due::kAnswer);
    if (!says(ready, pdu::kErrPmdaReady)) return answer;
    again();
    answer = Next();
  }
  return answer;
}

Answer Session::Ask(const pdu::Body& request, std::int32_t from) {
  Send(request, from);
  return NextOfReady([&] { Send(request, from); });
}

Answer Session::Ask(Bytes request) {
  const auto send = [&] {
    ExpectMore(1);
    Send(request);
  };
  send();
  return NextOfReady(send);
}

Answer Session::AskOnce(const pdu::Body& request, std::int32_t from) {
  Send(request, from);
  return Next();
}

std::size_t Session::Fill(Bytes unit, unsigned each, Duration quiet, std::size_t limit) {
  const Transfer filled =
      pmda::FillUntilStalled(transport(), unit, quiet, limit, Deadline::After(limits().answer));
  log_->NotRepeatable("as much was sent without reading as the channel took");
  std::size_t units = filled.size / unit.size();
  const std::size_t part = filled.size % unit.size();
  log_->Event(number_, "sent " + std::to_string(filled.size) +
                           " bytes without reading: " + pmda::ToText(filled));
  if (part > 0) {
    Send(unit.subspan(part));
    ++units;
  }
  ExpectMore(units * each);
  return units;
}

Verdict Session::ExpectError(const pdu::Body& request, ErrorCode code) {
  const Answer answer = Ask(request);
  const auto* const error = answer.As<pdu::Error>();
  if (error != nullptr && error->code == code) return Verdict::Pass();
  return Verdict::Fail(Brief(request) + ": " + answer.ToText() + ", where ERROR " + CodeText(code) +
                       " is due");
}

void Session::CloseRequests() {
  log_->Event(number_, "request channel closed");
  log_->Step({.kind = Step::kCloseRequests, .agent = number_});
  transport().CloseWriting();
}

void Session::CloseReplies() {
  log_->Event(number_, "reply channel closed");
  log_->Step({.kind = Step::kCloseReplies, .agent = number_});
  transport().CloseReading();
  ended_ = true;
}

std::optional<pmda::ExitStatus> Session::WaitForExit(Deadline deadline) {
  const auto exit = memory_ ? memory_->Exit() : process_->WaitForExit(deadline);
  if (exit && IsOwnCrash(*exit)) log_->Crash(exit->ToText());
  return exit;
}

std::string Session::ExitText() {
  const auto exit = WaitForExit(Deadline::Passed());
  return exit ? exit->ToText() : "";
}

std::string Session::EndText() {
  // The end of the channel and the end of the process are not one moment.
  const auto exit = WaitForExit(Deadline::After(std::chrono::milliseconds(100)));
  if (!exit) return "its process is still running";
  std::string text = "its process has ended with " + exit->ToText();
  if (memory_) return text;
  // Why, it may have said: the last line of its log.
  constexpr std::size_t kLongest = 200;
  const std::vector<AgentOutput> said = Output();
  if (said.empty()) return text;
  return text + "; its log ends: " + Printable(said.back().lines.back(), kLongest);
}

Session::Ended Session::WaitForEnd() {
  Ended ended;
  const Duration limit = waits().ForEnd(limits().end);
  const Deadline deadline = Deadline::After(limit);
  // An agent must not stall on what it still has to say.
  constexpr std::size_t kEnough = std::size_t{1} << 20;
  std::size_t before = frames_->pending();
  while (!ended_ && ended.surplus < kEnough && Pull(deadline)) {
    ended.surplus += frames_->pending() - before;
    before = frames_->pending();
  }
  constexpr int kShown = 100;
  for (int i = 0; i < kShown; ++i) {
    const auto frame = frames_->Next();
    if (!frame || !frame->has_value()) break;
    log_->Received(number_, **frame);
    ++audit_.received;
  }
  ended.exit = WaitForExit(deadline);
  ended.in_time = ended.exit.has_value();
  ended.text =
      ended.exit ? ended.exit->ToText() : "its process is still running after " + Seconds(limit);
  if (!ended.in_time) waits().DidNotEnd();
  log_->Event(number_, "agent: " + ended.text);
  log_->Step(
      {.kind = Step::kExit, .agent = number_, .text = ended.exit ? ended.exit->ToText() : ""});
  return ended;
}

pmda::Ending Session::End(const pmda::Patience& patience) {
  transport_.reset();
  if (!gone_) log_->Step({.kind = Step::kGone, .agent = number_});
  if (memory_) {
    gone_ = true;
    const auto exit = memory_->Exit();
    return {.exit = exit,
            .by = exit ? pmda::Ending::By::kItself : pmda::Ending::By::kKill,
            .all_gone = true};
  }
  const pmda::Ending ending = process_->End(patience);
  if (!gone_) {
    for (AgentOutput& output : Output()) log_->Said(std::move(output));
  }
  gone_ = true;
  if (!subject_->pipe() && subject_->address->kind == pmda::Address::Kind::kUnix) {
    pmda::RemoveSocketFile(subject_->address->path);
  }
  return ending;
}

}  // namespace pmproof::validator::agent
