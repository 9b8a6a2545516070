// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "reference/core/metric_name.h"
#include "reference/core/printable.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.4, what is asked with PMNS_NAMES, PMNS_IDS, PMNS_CHILD and PMNS_TRAVERSE.

namespace pmproof::validator::agent {
namespace {

constexpr const char* kUnknownName = "pmproof_no_such_name";

// The names that an agent supplies itself.
struct OwnNames {
  std::string root{};                // whose PMNS_TRAVERSE gave them
  std::vector<std::string> names{};  // in the agent's order; not empty
};

std::vector<std::string> NamesOf(const Answer& answer) {
  std::vector<std::string> names;
  if (const auto* const list = answer.As<pdu::PmnsNames>()) {
    for (const pdu::PmnsName& name : list->names) names.emplace_back(name.name);
  }
  return names;
}

// Where the agent could have names: what discovery found, and above the names of --pmns.
std::vector<std::string> Roots(const Knowledge& knowledge) {
  std::vector<std::string> roots = {knowledge.root};
  if (!knowledge.root.empty()) return roots;
  for (const KnownMetric& metric : knowledge.metrics) {
    const std::string top = metric.name.substr(0, metric.name.find('.'));
    if (!top.empty() && roots.size() < 4 && std::ranges::find(roots, top) == roots.end()) {
      roots.push_back(top);
    }
  }
  return roots;
}

// Asks the agent itself, as what it answered wrongly is not known. No names: it answers with an
// ERROR or with an empty list; anything else is CKA-098's to report.
VerdictOr<OwnNames> AskForNames(Bench& bench, Session& session) {
  for (const std::string& root : Roots(bench.knowledge())) {
    const pdu::PmnsTraverse request{.name = root};
    const Answer answer = session.Ask(request);
    const bool none = answer.As<pdu::Error>() != nullptr;
    if (!none && answer.As<pdu::PmnsNames>() == nullptr) {
      return Failed(Session::Unexpected(request, answer, pdu::PduType::kPmnsNames));
    }
    auto names = NamesOf(answer);
    if (!names.empty()) return OwnNames{root, std::move(names)};
  }
  return Unchecked("the agent has no names of its own");
}

// Empty, or how a name does not come back from its PMID.
VerdictOr<std::string> WrongRoundTrip(Session& session, const std::string& name) {
  const pdu::PmnsName asked{.name = name};
  const pdu::PmnsNames names{.names = std::span(&asked, 1)};
  const Answer by_name = session.Ask(names);
  const auto* const ids = by_name.As<pdu::PmnsIds>();
  if (ids == nullptr) {
    std::string wrong = Session::Unexpected(names, by_name, pdu::PduType::kPmnsIds);
    if (by_name.As<pdu::Error>() == nullptr) return Failed(std::move(wrong));
    return wrong;
  }
  if (ids->status < 0) {
    return Failed(Brief(names) + ": the answer " + Brief(*ids) + " has a PMID, and the status " +
                  std::to_string(ids->status) + " all the same");
  }
  if (ids->pmids.size() != 1 || ids->pmids[0].IsNull()) {
    return Brief(names) + ": the answer " + Brief(*ids) + " is not one PMID";
  }
  const Pmid pmid = ids->pmids[0];
  const pdu::PmnsIds request{.pmids = std::span(&pmid, 1)};
  const Answer by_pmid = session.Ask(request);
  if (by_pmid.As<pdu::PmnsNames>() == nullptr) {
    std::string wrong = Session::Unexpected(request, by_pmid, pdu::PduType::kPmnsNames);
    if (by_pmid.As<pdu::Error>() == nullptr) return Failed(std::move(wrong));
    return wrong;
  }
  const auto back = NamesOf(by_pmid);
  if (std::ranges::find(back, name) != back.end()) return "";
  return name + " has PMID " + ToText(pmid) + ", but is not among the " +
         std::to_string(back.size()) + " names of that PMID" +
         (back.empty() ? "" : ", such as " + back.front());
}

// CKA-095
Verdict NamesComeBack(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (!own) return LeftTo({"CKA-098"_clause}, own.error()).value();
  // A name may come just now, and is asked about again. That two do is no chance.
  std::vector<std::string> excused;
  OffenceWalk offences(bench, session);
  for (const std::string& name : own->names) {
    std::string last;
    const Verdict verdict = UnlessWrongTwice([&]() -> VerdictOr<std::string> {
      auto wrong = WrongRoundTrip(session, name);
      if (!wrong || wrong->empty()) return wrong;
      // Unless it has gone meanwhile.
      const auto now = NamesOf(session.Ask(pdu::PmnsTraverse{.name = own->root}));
      if (std::ranges::find(now, name) != now.end()) last = *wrong;
      return last;
    });
    if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
    if (verdict.passed() && !last.empty()) excused.push_back(last);
    if (excused.size() > 1) {
      offences.Note(excused.front() + "; " + excused.back() + "; asked again, both are right");
      break;
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-096
Verdict UnknownNameIsAnError(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (!own) return LeftTo({"CKA-098"_clause}, own.error()).value();
  const std::string below = own->names.front().substr(0, own->names.front().rfind('.') + 1);
  OffenceWalk offences(bench, session);
  for (const std::string& name : {below + kUnknownName, std::string(kUnknownName)}) {
    const pdu::PmnsName asked{.name = name};
    const Verdict verdict =
        session.ExpectError(pdu::PmnsNames{.names = std::span(&asked, 1)}, ErrorCode::kName);
    if (!verdict.passed() && !offences.GoOn(verdict)) break;
  }
  return offences.Or(Verdict::Pass());
}

// CKA-097
Verdict UnknownPmidIsAnError(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (!own) return LeftTo({"CKA-098"_clause}, own.error()).value();
  const auto pmid = bench.knowledge().UnusedPmid();
  if (!pmid) return pmid.error();
  return session.ExpectError(pdu::PmnsIds{.pmids = std::span(&*pmid, 1)}, ErrorCode::kPmid);
}

// Goes down the name space by PMNS_CHILD.
class Walk {
 public:
  // `most` bounds the work on an agent whose tree has no end.
  Walk(Session& session, std::size_t most) : session_(session), most_(most) {}

  // Empty, or what is wrong with the children of `node` and all below.
  VerdictOr<std::string> Go(const std::string& node) {
    std::vector<std::string> open = {node};
    while (!open.empty()) {
      const std::string next = std::move(open.back());
      open.pop_back();
      auto wrong = Look(next, &open);
      if (!wrong || !wrong->empty()) return wrong;
      if (leaves_.size() + open.size() > most_) {
        return "below \"" + node + "\" there are more than " + std::to_string(most_) +
               " nodes by PMNS_CHILD, far more than PMNS_TRAVERSE gives";
      }
    }
    return "";
  }
  const std::set<std::string>& leaves() const { return leaves_; }

 private:
  VerdictOr<std::string> Look(const std::string& node, std::vector<std::string>* open) {
    const auto plain = session_.Expect<pdu::PmnsNames>(pdu::PmnsChild{.subtype = 0, .name = node});
    if (!plain) return tl::make_unexpected(plain.error());
    const auto rich = session_.Expect<pdu::PmnsNames>(pdu::PmnsChild{.subtype = 1, .name = node});
    if (!rich) return tl::make_unexpected(rich.error());
    const auto* const with_status = rich->As<pdu::PmnsNames>();
    if (plain->As<pdu::PmnsNames>()->has_status) {
      return Failed("PMNS_CHILD 0 of \"" + node + "\": the answer has status words");
    }
    if (!with_status->has_status && !with_status->names.empty()) {
      return Failed("PMNS_CHILD 1 of \"" + node + "\": the answer has no status words");
    }
    auto names = NamesOf(*plain);
    auto same = NamesOf(*rich);
    std::ranges::sort(names);
    std::ranges::sort(same);
    if (names != same) return "PMNS_CHILD 0 and 1 of \"" + node + "\" give other names";
    for (const pdu::PmnsName& child : with_status->names) {
      const std::string name = (node.empty() ? "" : node + ".") + std::string(child.name);
      if (child.name.empty() || child.name.find('.') != std::string_view::npos) {
        return Failed("PMNS_CHILD 1 of \"" + node + "\": \"" + std::string(child.name) +
                      "\" is not a component of a name");
      }
      if (child.status == pdu::kLeaf) {
        leaves_.insert(name);
      } else if (child.status == pdu::kNonLeaf) {
        open->push_back(name);
      } else {
        return Failed("PMNS_CHILD 1 of \"" + node + "\": status " + std::to_string(child.status) +
                      " of " + std::string(child.name));
      }
    }
    return "";
  }

  Session& session_;
  std::size_t most_;
  std::set<std::string> leaves_{};
};

// CKA-098
Verdict ChildrenAreThoseOfTheTree(Bench& bench, Session& session) {
  return UnlessWrongTwice([&]() -> VerdictOr<Offences> {
    const auto own = AskForNames(bench, session);
    if (!own) return tl::make_unexpected(own.error());
    if (own->names == std::vector{own->root}) {
      return Unchecked("all that the agent has of its own is one name, " + own->root);
    }
    Walk walk(session, 16 * own->names.size() + 1000);
    const auto wrong = walk.Go(own->root);
    if (!wrong) return tl::make_unexpected(wrong.error());
    Offences offences;
    if (!wrong->empty()) {
      offences.Add(*wrong);
      return offences;
    }
    const std::set<std::string> traversed(own->names.begin(), own->names.end());
    for (const auto& [some, others, by, not_by] :
         {std::tuple(&traversed, &walk.leaves(), "PMNS_TRAVERSE", "PMNS_CHILD"),
          std::tuple(&walk.leaves(), &traversed, "PMNS_CHILD", "PMNS_TRAVERSE")}) {
      for (const std::string& name : *some) {
        if (others->contains(name)) continue;
        offences.Add(name + " is found by " + by + " of \"" + own->root + "\", but not by " +
                     not_by);
      }
    }
    return offences;
  });
}

// CKA-099
Verdict AgentWithoutNamesSaysSo(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (own) {
    return Verdict::NotChecked("the agent has names of its own, such as " + own->names.front());
  }
  if (own.error().outcome == Outcome::kFail) {
    return LeftTo({"CKA-098"_clause}, own.error()).value();
  }
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  const KnownMetric& metric = bench.knowledge().metrics.front();
  const std::string name = metric.name.empty() ? kUnknownName : metric.name;
  const std::string above = name.substr(0, name.find('.'));
  const pdu::PmnsName asked{.name = name};
  OffenceWalk offences(bench, session);
  for (const auto& [request, code] :
       {std::pair(pdu::Body(pdu::PmnsNames{.names = std::span(&asked, 1)}), ErrorCode::kName),
        std::pair(pdu::Body(pdu::PmnsIds{.pmids = std::span(&metric.pmid, 1)}),
                  ErrorCode::kPmid)}) {
    const Verdict verdict = session.ExpectError(request, code);
    if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
  }
  std::string remark;
  for (const pdu::Body& request : {pdu::Body(pdu::PmnsChild{.subtype = 1, .name = above}),
                                   pdu::Body(pdu::PmnsTraverse{.name = above})}) {
    const Answer answer = session.Ask(request);
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && error->code == ErrorCode::kName) continue;
    // PMD-098: so an agent may answer that has names elsewhere.
    const auto* const names = answer.As<pdu::PmnsNames>();
    if (names != nullptr && names->names.empty()) {
      remark = Brief(request) + ": an empty list, where ERROR " + CodeText(ErrorCode::kName) +
               " is usual";
      continue;
    }
    if (!offences.GoOn(Brief(request) + ": " + answer.ToText() + ", where ERROR " +
                       CodeText(ErrorCode::kName) + " is due")) {
      break;
    }
  }
  return offences.Or(Verdict::Pass(remark));
}

// CKA-102
Verdict NamesLeadToMetrics(Bench& bench, Session&) {
  const Knowledge& knowledge = bench.knowledge();
  if (knowledge.source != Knowledge::Source::kPmnsFile) {
    return Verdict::NotChecked("no name space was given (--pmns)");
  }
  Offences offences;
  for (const std::string& name : knowledge.unknown) {
    offences.Add("the agent has no descriptor for " + name);
  }
  return offences.Or(Verdict::Pass());
}

// Empty, or how a name of the agent's own leads to a PMID without a descriptor. Names of other
// domains lead to other agents, and what its name space answers wrongly is CKA-095's.
std::string WithoutDescriptor(const Knowledge& knowledge, Session& session,
                              const std::string& name) {
  const pdu::PmnsName asked{.name = name};
  const Answer by_name = session.Ask(pdu::PmnsNames{.names = std::span(&asked, 1)});
  const auto* const ids = by_name.As<pdu::PmnsIds>();
  if (ids == nullptr || ids->pmids.size() != 1 || ids->pmids[0].domain() != knowledge.domain) {
    return "";
  }
  const Pmid pmid = ids->pmids[0];
  const Answer answer = session.Ask(pdu::DescReq{pmid});
  if (answer.As<pdu::Error>() == nullptr) return "";  // CKA-030's
  return name + " has PMID " + ToText(pmid) + ", whose DESC_REQ is answered with " +
         answer.ToText();
}

// CKA-103
Verdict OwnNamesLeadToMetrics(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (!own) return LeftTo({"CKA-098"_clause}, own.error()).value();
  OffenceWalk offences(bench, session);
  for (const std::string& name : own->names) {
    const Verdict verdict = UnlessWrongTwice([&]() -> VerdictOr<std::string> {
      std::string wrong = WithoutDescriptor(bench.knowledge(), session, name);
      if (wrong.empty()) return wrong;
      // Unless it has gone meanwhile.
      const auto now = NamesOf(session.Ask(pdu::PmnsTraverse{.name = own->root}));
      return std::ranges::find(now, name) != now.end() ? wrong : std::string();
    });
    if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
  }
  return offences.Or(Verdict::Pass());
}

// CKA-104
Verdict OwnNamesAreNames(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (!own) return LeftTo({"CKA-098"_clause}, own.error()).value();
  const auto wrong = [](const std::string& name) {
    return "\"" + Printable(name, 80) + "\" is not a name of a metric";
  };
  OffenceWalk offences(bench, session);
  for (const std::string& name : own->names) {
    if (!IsMetricName(name)) offences.Note("PMNS_TRAVERSE: " + wrong(name));
    const pdu::PmnsName asked{.name = name};
    const Answer by_name = session.Ask(pdu::PmnsNames{.names = std::span(&asked, 1)});
    const auto* const ids = by_name.As<pdu::PmnsIds>();
    if (ids == nullptr || ids->pmids.size() != 1) continue;  // CKA-095
    const Pmid pmid = ids->pmids[0];
    const pdu::PmnsIds request{.pmids = std::span(&pmid, 1)};
    for (const std::string& other : NamesOf(session.Ask(request))) {
      if (!IsMetricName(other)) offences.Note(Brief(request) + ": " + wrong(other));
    }
    if (session.lost()) break;
  }
  return offences.Or(Verdict::Pass());
}

// CKA-105
Verdict NamesEndWhereTheyEnd(Bench& bench, Session& session) {
  const auto own = AskForNames(bench, session);
  if (!own) return LeftTo({"CKA-098"_clause}, own.error()).value();
  const std::string name = own->names.front() + std::string("\0junk", 5);
  const pdu::PmnsName asked{.name = name};
  const Answer answer = session.Ask(pdu::PmnsNames{.names = std::span(&asked, 1)});
  if (answer.As<pdu::Error>() != nullptr) return Verdict::Pass();
  return Verdict::Fail("PMNS_NAMES of \"" + Printable(name, 80) + "\": " + answer.Content() +
                       ", where ERROR " + CodeText(ErrorCode::kName) + " is due");
}

constexpr Check kChecks[] = {
    {"CKA-095"_clause, NamesComeBack},           {"CKA-096"_clause, UnknownNameIsAnError},
    {"CKA-097"_clause, UnknownPmidIsAnError},    {"CKA-098"_clause, ChildrenAreThoseOfTheTree},
    {"CKA-099"_clause, AgentWithoutNamesSaysSo}, {"CKA-102"_clause, NamesLeadToMetrics},
    {"CKA-103"_clause, OwnNamesLeadToMetrics},   {"CKA-104"_clause, OwnNamesAreNames},
    {"CKA-105"_clause, NamesEndWhereTheyEnd},
};

}  // namespace

std::span<const Check> NameChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
