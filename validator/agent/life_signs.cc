// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/life_signs.h"

#include <array>
#include <span>
#include <utility>

namespace pmproof::validator::agent {

LifeSigns::LifeSigns(Subject subject, std::uint32_t domain)
    : subject_(std::move(subject)), domain_(domain) {}

VerdictOr<bool> LifeSigns::Any() {
  return Ask([] { return true; });
}

void LifeSigns::Look(const std::function<bool()>& wanted) { (void)Ask(wanted); }

VerdictOr<bool> LifeSigns::Ask(const std::function<bool()>& wanted) {
  const std::scoped_lock lock(mutex_);
  for (; !any_ && asked_ < kRequests && wanted(); ++asked_) {
    const auto answers = Answers(asked_);
    if (!answers) return answers;
    any_ = *answers;
  }
  return any_;
}

VerdictOr<bool> LifeSigns::Answers(unsigned request) {
  const Pmid pmid = Pmid::Of(domain_, 0, 0);
  const std::array<pdu::Body, kRequests> requests = {
      pdu::DescReq{pmid},
      pdu::Fetch{.pmids = std::span(&pmid, 1)},
      pdu::InstanceReq{.indom = Indom::Of(domain_, 0)},
      pdu::TextReq{pmid.value, pdu::kTextPmid | pdu::kTextOneLine},
      pdu::LabelReq{domain_, static_cast<std::uint32_t>(LabelClass::kDomain)},
      pdu::PmnsTraverse{}};
  auto session = Session::Open(subject_, request + 1, &log_);
  if (!session) return tl::make_unexpected(session.error());
  const Answer answer = session->Ask(requests[request]);
  return answer.kind() != Answer::Kind::kEnd && answer.kind() != Answer::Kind::kNothing;
}

}  // namespace pmproof::validator::agent
