// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.4, what is asked with TEXT_REQ.

namespace pmproof::validator::agent {
namespace {

constexpr const char* kNoHelp = "the agent has no help text";

// Every help text that the agent could have.
VerdictOr<std::vector<pdu::TextReq>> Requests(const Knowledge& knowledge) {
  if (const auto any = knowledge.AnyMetric(); !any) return tl::make_unexpected(any.error());
  std::vector<pdu::TextReq> requests;
  for (const KnownMetric& metric : knowledge.metrics) {
    for (const TextType type : {TextType::kMetricOneLine, TextType::kMetricHelp}) {
      requests.push_back({metric.pmid.value, static_cast<std::uint32_t>(type)});
    }
  }
  for (const auto& [indom, instances] : knowledge.instances) {
    for (const TextType type : {TextType::kIndomOneLine, TextType::kIndomHelp}) {
      requests.push_back({indom.value, static_cast<std::uint32_t>(type)});
    }
  }
  return requests;
}

// "one-line help of simple.color (253.0.1)"
std::string What(const Knowledge& knowledge, const pdu::TextReq& request) {
  const bool one_line = (request.type & pdu::kTextOneLine) != 0;
  const KnownMetric* const metric =
      (request.type & pdu::kTextPmid) != 0 ? knowledge.Find(Pmid{request.identifier}) : nullptr;
  return std::string(one_line ? "one-line help" : "help") + " of " +
         (metric != nullptr ? metric->ToText()
                            : "instance domain " + ToText(Indom{request.identifier}));
}

bool IsText(const Answer& answer) {
  return answer.is_pdu() && answer.header().type == pdu::PduType::kText;
}

// Empty, or how the length of a TEXT does not fit its buflen (PDU-067).
std::string LengthFault(const Answer& answer) {
  constexpr std::size_t kFixed = 20;  // header, ident, buflen
  const std::string size = "the TEXT has " + std::to_string(answer.bytes().size()) + " bytes";
  if (answer.bytes().size() < kFixed) return size + ", where 20 and more are due";
  const std::uint32_t buflen = LoadU32(answer.bytes().data() + kFixed - 4);
  const std::uint64_t due = kFixed + (std::uint64_t{buflen} + 3) / 4 * 4;
  if (answer.bytes().size() >= due) return "";
  return size + ", where " + std::to_string(due) + " are due: buflen is " +
         std::to_string(static_cast<std::int32_t>(buflen));
}

// Calls look(request, answer, text), which says what is wrong, for every text there is.
template <typename Look>
Verdict ForEachText(Bench& bench, Session& session, Look&& look) {
  const auto requests = Requests(bench.knowledge());
  if (!requests) return requests.error();
  bool any = false;
  OffenceWalk offences(bench, session);
  for (const pdu::TextReq& request : *requests) {
    const Answer answer = session.Ask(request);
    const pdu::Text* const text = answer.As<pdu::Text>();
    if (text == nullptr) {
      // An ERROR is CKA-087's to judge.
      if (answer.As<pdu::Error>() != nullptr) continue;
      return offences.Or(LeftTo({IsText(answer) ? "CKA-088"_clause : "CKA-087"_clause},
                                Session::Unexpected(request, answer, pdu::PduType::kText))
                             .value());
    }
    any = true;
    const std::string wrong = look(request, answer, *text);
    if (wrong.empty()) continue;
    if (!offences.GoOn(What(bench.knowledge(), request) + ": " + wrong)) break;
  }
  return offences.Or(any ? Verdict::Pass() : Verdict::NotChecked(kNoHelp));
}

// Empty, or why a text cannot be shown where it belongs.
std::string Unfit(const pdu::Text& text, bool one_line) {
  constexpr std::size_t kOneLine = 80;
  if (text.text.empty()) return "a TEXT of no length";
  if (!one_line) return "";
  if (text.text.find('\n') != std::string_view::npos) return "there is a newline in it";
  if (text.text.size() < kOneLine) return "";
  return "it has " + std::to_string(text.text.size()) + " bytes, where fewer than 80 are due";
}

// CKA-087
Verdict HelpTextsAreFitToShow(Bench& bench, Session& session) {
  const auto requests = Requests(bench.knowledge());
  if (!requests) return requests.error();
  bool any = false;
  OffenceWalk offences(bench, session);
  for (const pdu::TextReq& request : *requests) {
    const std::string what = What(bench.knowledge(), request);
    const Answer answer = session.Ask(request);
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && error->code == pdu::kErrText) continue;
    const pdu::Text* const text = answer.As<pdu::Text>();
    if (text == nullptr) {
      const std::string wrong = what + ": " + answer.ToText() + ", where TEXT or ERROR " +
                                CodeText(pdu::kErrText) + " is due";
      if (IsText(answer)) return offences.Or(Verdict::Left(wrong, {"CKA-088"_clause}));
      if (offences.GoOn(wrong)) continue;
      break;
    }
    any = true;
    const std::string wrong = Unfit(*text, (request.type & pdu::kTextOneLine) != 0);
    if (!wrong.empty() && !offences.GoOn(what + ": " + wrong)) break;
  }
  return offences.Or(Verdict::Pass(any ? "" : kNoHelp));
}

// CKA-088
Verdict HelpTextsArePadded(Bench& bench, Session& session) {
  const auto requests = Requests(bench.knowledge());
  if (!requests) return requests.error();
  bool any = false;
  OffenceWalk offences(bench, session);
  for (const pdu::TextReq& request : *requests) {
    const Answer answer = session.Ask(request);
    if (!IsText(answer)) {
      if (answer.As<pdu::Error>() != nullptr) continue;  // CKA-087's to judge
      return offences.Or(
          LeftTo({"CKA-087"_clause}, Session::Unexpected(request, answer, pdu::PduType::kText))
              .value());
    }
    any = true;
    std::string wrong = LengthFault(answer);
    if (wrong.empty() && answer.decoded() == nullptr) wrong = "it is " + answer.ToText();
    if (wrong.empty()) continue;
    if (!offences.GoOn(What(bench.knowledge(), request) + ": " + wrong)) break;
  }
  return offences.Or(any ? Verdict::Pass() : Verdict::NotChecked(kNoHelp));
}

// CKA-089
Verdict HelpTextsEchoTheIdentifier(Bench& bench, Session& session) {
  const auto hex = [](std::uint32_t word) {
    std::string text;
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 0xf];
    return text;
  };
  return ForEachText(bench, session,
                     [&](const pdu::TextReq& request, const Answer&, const pdu::Text& text) {
                       if (text.identifier == request.identifier) return std::string();
                       return "the TEXT has ident " + hex(text.identifier) + ", asked was " +
                              hex(request.identifier);
                     });
}

// CKA-090
Verdict UnknownHelpIsAnError(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  std::vector<pdu::TextReq> requests = {{unused->value, pdu::kTextPmid | pdu::kTextOneLine}};
  if (!bench.knowledge().metrics.empty()) {
    requests.push_back({bench.knowledge().metrics.front().pmid.value, pdu::kTextOneLine});
  }
  OffenceWalk offences(bench, session);
  for (const pdu::TextReq& request : requests) {
    const Verdict verdict = session.ExpectError(request, pdu::kErrText);
    if (!verdict.passed() && !offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-087"_clause, HelpTextsAreFitToShow},
    {"CKA-088"_clause, HelpTextsArePadded},
    {"CKA-089"_clause, HelpTextsEchoTheIdentifier},
    {"CKA-090"_clause, UnknownHelpIsAnError},
};

}  // namespace

std::span<const Check> HelpChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
