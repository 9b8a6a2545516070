#include "validator/agent/check.h"

// 16.2, what is asked with DESC_REQ.

namespace pmproof::validator::agent {
namespace {

// Empty, or what is wrong with a descriptor (PDU-036, PDU-037).
std::string Wrong(const Descriptor& descriptor, Pmid asked, std::uint32_t domain) {
  const auto type = static_cast<std::int32_t>(descriptor.type);
  const auto semantics = static_cast<std::int32_t>(descriptor.semantics);
  if (descriptor.pmid != asked) return "its PMID is " + ToText(descriptor.pmid);
  if (type < -1 || type > 10) return "there is no type " + std::to_string(type);
  if ((semantics == 0) != (type == -1) || semantics < 0 || semantics == 2 || semantics > 4) {
    return "semantics " + std::to_string(semantics) + " do not go with type " +
           std::to_string(type);
  }
  if (!descriptor.indom.IsNull() &&
      (descriptor.indom.domain() != domain || descriptor.indom.flag())) {
    return "its instance domain " + ToText(descriptor.indom) + " is not of domain " +
           std::to_string(domain);
  }
  return "";
}

// CKA-030
Verdict DescriptorsAreWellFormed(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    const auto answer = session.Expect<pdu::Desc>(pdu::DescReq{metric.pmid});
    if (!answer) return answer.error();
    const std::string wrong =
        Wrong(answer->As<pdu::Desc>()->descriptor, metric.pmid, bench.knowledge().domain);
    if (!wrong.empty()) return Verdict::Fail("the descriptor of " + metric.ToText() + ": " + wrong);
  }
  return Verdict::Pass();
}

constexpr Check kChecks[] = {
    {"CKA-030"_clause, DescriptorsAreWellFormed},
};

}  // namespace

std::span<const Check> DescriptorChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
