// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/answer.h"

#include <utility>

#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/pdu/pdu_text.h"

namespace pmproof::validator::agent {
namespace {

// Core has the names of the codes that occur in archives.
constexpr std::pair<ErrorCode, const char*> kAgentCodes[] = {
    {pdu::kErrText, "PM_ERR_TEXT"},
    {pdu::kErrAppVersion, "PM_ERR_APPVERSION"},
    {pdu::kErrTimeout, "PM_ERR_TIMEOUT"},
    {pdu::kErrProfile, "PM_ERR_PROFILE"},
    {pdu::kErrIpc, "PM_ERR_IPC"},
    {pdu::kErrNoAgent, "PM_ERR_NOAGENT"},
    {pdu::kErrPermission, "PM_ERR_PERMISSION"},
    {pdu::kErrNotConnected, "PM_ERR_NOTCONN"},
    {pdu::kErrBadStore, "PM_ERR_BADSTORE"},
    {pdu::kErrTooSmall, "PM_ERR_TOOSMALL"},
    {pdu::kErrTooBig, "PM_ERR_TOOBIG"},
    {pdu::kErrPmdaReady, "PM_ERR_PMDAREADY"},
    {pdu::kErrPmdaNotReady, "PM_ERR_PMDANOTREADY"},
};

const char* AgentCodeName(ErrorCode code) {
  for (const auto& [known, name] : kAgentCodes) {
    if (known == code) return name;
  }
  return nullptr;
}

}  // namespace

std::string CodeText(ErrorCode code) {
  std::string number = std::to_string(static_cast<std::int32_t>(code));
  if (code == ErrorCode::kOk) return number;
  if (const char* const name = AgentCodeName(code)) return number + " (" + name + ")";
  const std::string name = ToText(code);
  return name.starts_with("code ") ? number : number + " (" + name + ")";
}

std::string Brief(const pdu::Body& body) {
  constexpr std::size_t kLongest = 120;
  std::string text = ToText(pdu::Pdu{.body = body});
  if (const std::size_t from = text.find(" from=0"); from != std::string::npos) text.erase(from, 7);
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

std::string Answer::Content() const {
  return decoded() != nullptr && is_pdu() ? agent::Brief(decoded()->body) : ToText();
}

Answer::Answer(Bytes pdu) : kind_(Kind::kPdu), bytes_(pdu.begin(), pdu.end()) {
  decoded_ = decoder_.Decode(bytes_);
}

std::string Answer::ToText() const {
  switch (kind_) {
    case Kind::kNothing:
      return "no answer" + (note_.empty() ? "" : " (" + note_ + ")");
    case Kind::kEnd:
      return "end of file" + (note_.empty() ? "" : " (" + note_ + ")");
    case Kind::kNoFraming:
      return "bytes that are not a PDU (" + note_ + ")";
    case Kind::kPdu:
      break;
  }
  if (!decoded_) {
    return "a " + pmproof::pdu::ToText(header().type) + " that cannot be decoded (" +
           fault().ToText() + ")";
  }
  if (const auto* error = As<pdu::Error>()) return "ERROR " + CodeText(error->code);
  return pmproof::pdu::ToText(header().type);
}

}  // namespace pmproof::validator::agent
