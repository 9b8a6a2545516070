// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/conversation.h"

#include <system_error>
#include <utility>

#include "reference/pmda/pdu/pdu_text.h"
#include "validator/dbpmda/tables.h"

namespace pmproof::agent_script {

std::ostream& Conversation::failure() {
  broken_ = true;
  return trouble();
}

dso::InitFacts Conversation::facts() const {
  if (!host_report_) return {};
  return host_report_->Read().init.value_or(dso::InitFacts());
}

bool Conversation::Adopt(Result<std::unique_ptr<Connection>> opened, const std::string& what,
                         std::optional<validator::HostReportFile> report) {
  if (!opened) {
    const int error = -static_cast<int>(opened.error().code);
    failure() << what << ": "
              << (error > 0 ? std::generic_category().message(error) : opened.error().ToText())
              << '\n';
    return false;
  }
  Close();
  agent_ = std::move(*opened);
  host_report_ = std::move(report);
  profile_sent_ = false;
  return true;
}

void Conversation::Close() {
  if (agent_ == nullptr) return;
  Finish(*agent_);
  agent_.reset();
}

void Conversation::Finish(Connection& agent) {
  out_.flush();
  err_ << agent.Finish();
}

void Conversation::Fail(const pmda::SessionFailure& failure, const char* sender) {
  using Kind = pmda::SessionFailure::Kind;
  broken_ = true;
  switch (failure.kind) {
    case Kind::kTimeout:
      silent_ = true;
      out_ << "Error: __pmGetPDU() failed: " << ErrorText(pdu::kErrTimeout) << '\n';
      return;
    case Kind::kEndOfFile:
      silent_ = true;
      out_ << "Error: __pmGetPDU() failed: PDU empty, PMDA may have died\n";
      return;
    case Kind::kBroken:
    case Kind::kUnsendable:
      out_ << "Error: __pmSend" << sender << "() failed: " << failure.ToText() << '\n';
      return;
    case Kind::kFraming:
    case Kind::kDecoding:
      out_ << "Error: __pmGetPDU() failed: " << ErrorText(failure.error.code) << '\n';
      trouble() << failure.ToText() << '\n';
  }
}

std::optional<pdu::Body> Conversation::Answer(const pdu::Body& request, pdu::PduType due,
                                              const char* sender, const char* function) {
  silent_ = false;
  const auto answer = agent_->Ask(request);
  if (!answer) {
    Fail(answer.error(), sender);
    return std::nullopt;
  }
  if (pdu::TypeOf(answer->body) == due) return answer->body;
  if (const auto* error = std::get_if<pdu::Error>(&answer->body)) {
    Say(error->code, function);
    return std::nullopt;
  }
  broken_ = true;
  out_ << "Error: unexpected PDU " << pdu::ToText(pdu::TypeOf(answer->body)) << '\n';
  return std::nullopt;
}

void Conversation::Say(ErrorCode code, const char* function) {
  if (is_dso()) {
    out_ << "Error: DSO " << function << "() failed: " << ErrorText(code) << '\n';
  } else {
    out_ << "Error PDU: " << ErrorText(code) << '\n';
  }
}

bool Conversation::Send(const pdu::Body& request, const char* sender) {
  const auto sent = agent_->Send(request);
  if (!sent) Fail(sent.error(), sender);
  return sent.has_value();
}

std::optional<Descriptor> Conversation::AskDescriptor(Pmid pmid) {
  const auto answer = Ask<pdu::Desc>(pdu::DescReq{pmid}, "DescReq", "desc");
  if (!answer) return std::nullopt;
  return answer->descriptor;
}

std::optional<pdu::Result> Conversation::AskValues(const std::vector<Pmid>& pmids) {
  if (!Ask<pdu::Result>(pdu::Fetch{.pmids = pmids}, "Fetch", "fetch")) return std::nullopt;
  const Bytes bytes = agent_->received();
  kept_.assign(bytes.begin(), bytes.end());
  return std::get<pdu::Result>(decoder_.Decode(kept_)->body);
}

std::string Conversation::InstanceName(Indom indom, std::int32_t instance) {
  const auto answer = agent_->Ask(pdu::InstanceReq{.indom = indom, .instance = instance});
  const auto* found = answer ? std::get_if<pdu::Instance>(&answer->body) : nullptr;
  if (found == nullptr || found->instances.empty()) return "???";
  return '"' + std::string(found->instances[0].name) + '"';
}

void Conversation::Change(const ChangeProfile& change) {
  profile_.Change(change);
  profile_sent_ = false;
}

bool Conversation::SendProfile() {
  if (profile_sent_) return true;
  std::vector<pdu::ProfileEntry> entries;
  for (const ScriptProfile::Entry& entry : profile_.entries()) {
    entries.push_back({.indom = entry.indom,
                       .state = entry.excludes ? pdu::kExclude : pdu::kInclude,
                       .instances = entry.instances});
  }
  profile_sent_ = Send(pdu::Profile{.state = profile_.excludes() ? pdu::kExclude : pdu::kInclude,
                                    .entries = entries},
                       "Profile");
  return profile_sent_;
}

}  // namespace pmproof::agent_script
