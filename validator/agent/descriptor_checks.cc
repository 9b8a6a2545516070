// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "reference/core/extra_units.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.2, what is asked with DESC_REQ.

namespace pmproof::validator::agent {
namespace {

// The descriptor that the agent gives now. That it gives none is left to CKA-030.
VerdictOr<Descriptor> DescriptorOf(Session& session, const KnownMetric& metric) {
  const auto answer = session.Expect<pdu::Desc>(pdu::DescReq{metric.pmid});
  if (!answer) return LeftTo({"CKA-030"_clause}, answer.error());
  return answer->As<pdu::Desc>()->descriptor;
}

// Empty, or what is wrong with it (PDU-036, PDU-037).
std::string Fault(const Descriptor& descriptor, Pmid asked, std::uint32_t domain) {
  const auto type = static_cast<std::int32_t>(descriptor.type);
  const auto semantics = static_cast<std::int32_t>(descriptor.semantics);
  if (descriptor.pmid != asked) return "its PMID is " + ToText(descriptor.pmid);
  if (type < -1 || type > 10) return "there is no type " + std::to_string(type);
  const bool known = semantics == 1 || semantics == 3 || semantics == 4;
  if (type == -1 ? semantics != 0 : !known) {
    return "semantics " + std::to_string(semantics) + " do not go with type " +
           ToText(descriptor.type);
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
  std::vector<KnownMetric> metrics = bench.knowledge().misdescribed;
  if (const auto any = bench.knowledge().AnyMetric(); !any && metrics.empty()) return any.error();
  metrics.insert(metrics.end(), bench.knowledge().metrics.begin(), bench.knowledge().metrics.end());
  OffenceWalk offences(bench, session);
  for (const KnownMetric& metric : metrics) {
    const auto answer = session.Expect<pdu::Desc>(pdu::DescReq{metric.pmid});
    if (!answer) {
      if (offences.GoOn(answer.error())) continue;
      break;
    }
    const std::string fault =
        Fault(answer->As<pdu::Desc>()->descriptor, metric.pmid, bench.knowledge().domain);
    if (fault.empty()) continue;
    if (!offences.GoOn("the descriptor of " + metric.ToText() + ": " + fault)) break;
  }
  return offences.Or(Verdict::Pass());
}

// Empty, or what is wrong with them (PDU-034, PDU-035).
std::string Fault(Units units) {
  const auto out_of_range = [](const char* name, auto scale) {
    return std::string("there is no scale of ") + name + " " + std::to_string(scale);
  };
  const auto without_dimension = [](const char* name, auto scale) {
    return std::string("scale of ") + name + " " + std::to_string(scale) +
           ", but the dimension is 0";
  };
  if (units.scale_space() > 8) return out_of_range("space", units.scale_space());
  if (units.scale_time() > 5) return out_of_range("time", units.scale_time());
  if (units.dim_space() == 0 && units.scale_space() != 0) {
    return without_dimension("space", units.scale_space());
  }
  if (units.dim_time() == 0 && units.scale_time() != 0) {
    return without_dimension("time", units.scale_time());
  }
  if (units.dim_count() == 0 && units.scale_count() != 0) {
    return without_dimension("count", units.scale_count());
  }
  const auto extra = static_cast<std::size_t>(std::abs(units.extra_unit()));
  if (extra > std::size(kExtraUnits)) {
    return "there is no extra unit " + std::to_string(units.extra_unit());
  }
  if (extra == 0) {
    return units.extra_scale() == 0 ? "" : without_dimension("the extra unit", units.extra_scale());
  }
  const ExtraUnit& unit = kExtraUnits[extra - 1];
  if (unit.scales[units.extra_scale()].empty()) {
    return out_of_range(std::string(unit.name).c_str(), units.extra_scale());
  }
  return "";
}

// CKA-031
Verdict UnitsAreWellFormed(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  OffenceWalk offences(bench, session);
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    const auto descriptor = DescriptorOf(session, metric);
    if (!descriptor) return offences.Or(descriptor.error());
    const std::string fault = Fault(descriptor->units);
    if (!fault.empty()) offences.Note("the units of " + metric.ToText() + ": " + fault);
    if (descriptor->semantics == Semantics::kCounter && !IsNumeric(descriptor->type) &&
        descriptor->type != MetricType::kNoSupport) {
      offences.Note(metric.ToText() + " of type " + ToText(descriptor->type) + " is a counter");
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-032
Verdict DescriptorsDoNotChange(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  OffenceWalk offences(bench, session);
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    const pdu::DescReq request{metric.pmid};
    const Answer first = session.Ask(request);
    const Answer second = session.Ask(request);
    if (first.As<pdu::Desc>() == nullptr) {
      return offences.Or(
          LeftTo({"CKA-030"_clause}, Session::Unexpected(request, first, pdu::PduType::kDesc))
              .value());
    }
    if (std::ranges::equal(first.bytes(), second.bytes())) continue;
    if (!offences.GoOn(Brief(request) + " is answered with " + first.Content() + ", then with " +
                       second.Content())) {
      break;
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-033
Verdict UnknownMetricHasNoDescriptor(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  return session.ExpectError(pdu::DescReq{*unused}, ErrorCode::kPmid);
}

constexpr Check kChecks[] = {
    {"CKA-030"_clause, DescriptorsAreWellFormed},
    {"CKA-031"_clause, UnitsAreWellFormed},
    {"CKA-032"_clause, DescriptorsDoNotChange},
    {"CKA-033"_clause, UnknownMetricHasNoDescriptor},
};

}  // namespace

std::span<const Check> DescriptorChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
