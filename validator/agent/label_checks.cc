// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "reference/core/label_set.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.4, what is asked with LABEL_REQ.

namespace pmproof::validator::agent {
namespace {

constexpr const char* kNoLabels = "the agent has no labels";

std::uint32_t Number(LabelClass label_class) { return static_cast<std::uint32_t>(label_class); }

std::vector<Indom> Indoms(const Knowledge& knowledge) {
  std::vector<Indom> indoms;
  for (const auto& [indom, instances] : knowledge.instances) indoms.push_back(indom);
  return indoms;
}

// Every label set that the agent could have.
VerdictOr<std::vector<pdu::LabelReq>> Requests(const Knowledge& knowledge) {
  if (!knowledge.domain_known) {
    return Unchecked("the agent's domain is not known; give --domain N");
  }
  std::vector<pdu::LabelReq> requests = {{knowledge.domain, Number(LabelClass::kDomain)}};
  for (const Indom indom : Indoms(knowledge)) {
    requests.push_back({indom.value, Number(LabelClass::kIndom)});
    requests.push_back({indom.value, Number(LabelClass::kInstances)});
  }
  std::set<std::uint32_t> clusters;
  for (const KnownMetric& metric : knowledge.metrics) {
    if (clusters.insert(metric.pmid.cluster()).second) {
      const Pmid cluster = Pmid::Of(knowledge.domain, metric.pmid.cluster(), 0);
      requests.push_back({cluster.value, Number(LabelClass::kCluster)});
    }
    requests.push_back({metric.pmid.value, Number(LabelClass::kItem)});
  }
  return requests;
}

std::string What(const Knowledge& knowledge, const pdu::LabelReq& request) {
  const auto type = static_cast<LabelClass>(request.type);
  const std::string text =
      "labels of type " + std::to_string(request.type) + " (" + ToText(type) + ")";
  switch (type) {
    case LabelClass::kIndom:
    case LabelClass::kInstances:
      return text + " of " + ToText(Indom{request.identifier});
    case LabelClass::kCluster:
      return text + " of cluster " + std::to_string(Pmid{request.identifier}.cluster());
    case LabelClass::kItem: {
      const KnownMetric* const metric = knowledge.Find(Pmid{request.identifier});
      return text + " of " +
             (metric != nullptr ? metric->ToText() : ToText(Pmid{request.identifier}));
    }
    case LabelClass::kContext:
    case LabelClass::kDomain:
      break;
  }
  return text;
}

// Empty, or what is wrong with the index of a set: the label that the JSON text has there is not
// what it says (PDU-073, PDU-076).
std::string WrongIndex(const pdu::LabelSet& set, const StoredLabels& labels, std::uint32_t type) {
  constexpr std::uint8_t kClasses = 0x3f;
  if (set.labels.size() != labels.index.size()) {
    return std::to_string(set.labels.size()) + " labels, where its JSON text has " +
           std::to_string(labels.index.size());
  }
  const auto by_place = [](const auto& a, const auto& b) { return a.name_offset < b.name_offset; };
  std::vector<pdu::LabelEntry> entries(set.labels.begin(), set.labels.end());
  std::vector<IndexedLabel> index = labels.index;
  std::ranges::sort(entries, by_place);
  std::ranges::sort(index, by_place);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const pdu::LabelEntry& entry = entries[i];
    const std::string name = "label \"" + index[i].path + "\"";
    if (entry.name_offset != index[i].name_offset || entry.name_length != index[i].name_length ||
        set.json.substr(entry.value_offset).substr(0, entry.value_length) !=
            labels.Value(index[i])) {
      return name + ": its offsets say \"" + std::string(set.Name(entry)) +
             "\":" + std::string(set.Value(entry));
    }
    if ((entry.flags & kClasses) != type) {
      return name + ": its flags " + std::to_string(entry.flags) + " are not of class " +
             std::to_string(type);
    }
    if (((entry.flags & kLabelFlagCompound) != 0) != index[i].compound) {
      return name + ": its flags " + std::to_string(entry.flags) + " are " +
             (index[i].compound ? "not " : "") + "those of a compound name";
    }
    if (i > 0 && index[i].path == index[i - 1].path) return name + ": it is there twice";
  }
  return "";
}

// Empty, or what is wrong with the JSON text of a set (PDU-077).
std::string WrongSet(const pdu::LabelSet& set, std::uint32_t type) {
  if (set.labels.empty() && set.json.empty()) return "";
  const auto labels = ParseLabelSet(set.json, PcpVersion::k7_2);
  if (!labels) return "its JSON text is not an object of labels: " + CodeText(labels.error());
  if (set.json != "{}" && labels->json != set.json) {
    return "its JSON text is not one object without blanks";
  }
  std::vector<IndexedLabel> index = labels->index;
  std::ranges::sort(index, {}, &IndexedLabel::name_offset);
  const auto outer = [](const IndexedLabel& label) {
    return std::string_view(label.path).substr(0, label.path.find('.'));
  };
  const auto falling = std::ranges::adjacent_find(
      index, [&](const auto& a, const auto& b) { return outer(b) < outer(a); });
  if (falling != index.end()) {
    return "its JSON text is not sorted: \"" + std::string(outer(*std::next(falling))) +
           "\" is after \"" + std::string(outer(*falling)) + "\"";
  }
  return WrongIndex(set, *labels, type);
}

// Empty, or what is wrong with an answer (4.12).
std::string Wrong(const Answer& answer, const pdu::LabelReq& request) {
  const auto& label = *answer.As<pdu::Label>();
  if (label.sets.empty()) return "";  // PMD-093: then nothing need be echoed
  if (label.identifier != request.identifier || label.type != request.type) {
    return "the answer says type " + std::to_string(label.type) + ", ident " +
           std::to_string(label.identifier) + "; asked was ident " +
           std::to_string(request.identifier);
  }
  const bool instances = request.type == Number(LabelClass::kInstances);
  if (!instances && label.sets.size() > 1) {
    return std::to_string(label.sets.size()) + " label sets, where one is due (PDU-078)";
  }
  for (const pdu::LabelSet& set : label.sets) {
    const std::string what =
        instances ? "label set of instance " + std::to_string(set.instance) : "label set";
    if (!instances && set.instance != kInstanceNull) {
      return "the label set has inst " + std::to_string(set.instance) + ", where -1 is due";
    }
    if (const std::string wrong = WrongSet(set, request.type); !wrong.empty()) {
      return what + ": " + wrong;
    }
  }
  if (answer.departures().Has(pdu::Departure::kLabelTexts)) {
    return "its JSON texts have gaps, overlap, or are in another order than the sets (PDU-073)";
  }
  if (answer.departures().Has(pdu::Departure::kTrailingBytes)) {
    return "there are bytes after its JSON texts (PDU-073)";
  }
  return "";
}

// CKA-091
Verdict LabelsAreWellFormed(Bench& bench, Session& session) {
  const auto requests = Requests(bench.knowledge());
  if (!requests) return requests.error();
  bool labels = false;
  bool sets = false;
  OffenceWalk offences(bench, session);
  std::vector<std::string> errors;
  // Few requests are made again: an agent may answer wrongly once in a while.
  constexpr std::size_t kMany = 128;
  const std::size_t rounds = std::clamp<std::size_t>(kMany / requests->size(), 1, 16);
  for (std::size_t i = 0; i < rounds * requests->size(); ++i) {
    const pdu::LabelReq& request = (*requests)[i % requests->size()];
    const Answer answer = session.Ask(request);
    const std::string what = What(bench.knowledge(), request);
    if (answer.As<pdu::Error>() != nullptr) {
      errors.push_back(what + ": " + answer.ToText() + ", where LABEL is due");
      continue;
    }
    if (answer.As<pdu::Label>() == nullptr) {
      const std::string wrong = Session::Unexpected(request, answer, pdu::PduType::kLabel);
      if (offences.GoOn(wrong)) continue;
      break;
    }
    labels = true;
    sets |= !answer.As<pdu::Label>()->sets.empty();
    const std::string wrong = Wrong(answer, request);
    if (!wrong.empty() && !offences.GoOn(what + ": " + wrong)) break;
  }
  // An agent may know nothing of labels (PDU-020), but not for some questions only.
  if (!labels) {
    return offences.Or(Verdict::NotChecked("the agent knows no labels" +
                                           (errors.empty() ? "" : ": " + errors.front())));
  }
  for (std::string& error : errors) offences.Note(std::move(error));
  return offences.Or(sets ? Verdict::Pass() : Verdict::NotChecked(kNoLabels));
}

// The instances of the label sets of a domain, in their order.
VerdictOr<std::vector<std::int32_t>> InstancesWithSets(Session& session, Indom indom) {
  const pdu::LabelReq request{indom.value, Number(LabelClass::kInstances)};
  const Answer answer = session.Ask(request);
  std::vector<std::int32_t> instances;
  if (answer.As<pdu::Error>() != nullptr) return instances;  // CKA-091's
  const auto* const label = answer.As<pdu::Label>();
  if (label == nullptr) {
    return LeftTo({"CKA-091"_clause}, Session::Unexpected(request, answer, pdu::PduType::kLabel));
  }
  for (const pdu::LabelSet& set : label->sets) instances.push_back(set.instance);
  return instances;
}

// CKA-092
Verdict EachInstanceHasOneLabelSet(Bench& bench, Session& session) {
  if (const auto any = bench.knowledge().AnyMetric(); !any) return any.error();
  if (const auto filled = FillInstanceDomains(bench, session); !filled) return filled.error();
  bool looked = false;
  std::optional<Indom> unfiltered;
  OffenceWalk offences(bench, session);
  for (const Indom indom : Indoms(bench.knowledge())) {
    const Verdict verdict = UnlessWrongTwice([&]() -> VerdictOr<std::string> {
      const std::string what = "labels of type 32 of " + ToText(indom);
      session.Send(pdu::Profile{});
      const auto before = InstancesAtAll(session, indom);
      if (!before) return tl::make_unexpected(before.error());
      const auto all = InstancesWithSets(session, indom);
      if (!all) return tl::make_unexpected(all.error());
      if (all->empty()) return "";  // PMD-091
      looked = true;
      const auto behind = InstancesAtAll(session, indom);
      if (!behind) return tl::make_unexpected(behind.error());
      std::set<std::int32_t> sets;
      for (const std::int32_t instance : *all) {
        if (sets.insert(instance).second) continue;
        return Failed(what + ": instance " + std::to_string(instance) + " has two label sets");
      }
      std::set<std::int32_t> numbers;
      for (const KnownInstance& instance : *before) numbers.insert(instance.number);
      std::optional<std::int32_t> staying;  // an instance with labels that was there all the time
      for (const KnownInstance& instance : *behind) {
        if (numbers.contains(instance.number) && !staying) staying = instance.number;
        if (numbers.contains(instance.number) && !sets.contains(instance.number)) {
          return what + ": there is no label set of " + InstanceText(indom, instance);
        }
        numbers.insert(instance.number);
      }
      for (const std::int32_t instance : sets) {
        if (numbers.contains(instance)) continue;
        return what + ": there is a label set of instance " + std::to_string(instance) +
               ", which is not in the domain";
      }
      // PMD-092: of the instances that the profile includes; sample gives those of all.
      if (!staying) return "";  // PMD-102
      const std::int32_t one = *staying;
      const pdu::ProfileEntry only{
          .indom = indom, .state = pdu::kExclude, .instances = std::span(&one, 1)};
      session.Send(pdu::Profile{.entries = std::span(&only, 1)});
      const auto included = InstancesWithSets(session, indom);
      if (!included) return tl::make_unexpected(included.error());
      if (*included == std::vector{one}) return "";
      if (*included == *all) {
        unfiltered = indom;
        return "";
      }
      return what + ": " + std::to_string(included->size()) +
             " label sets, where the profile includes only instance " + std::to_string(one);
    });
    if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
  }
  if (offences.any()) return offences.Or(Verdict::Pass());
  if (!looked) return Verdict::NotChecked("the agent has no labels of instances");
  return Verdict::Pass(unfiltered ? "labels of " + ToText(*unfiltered) +
                                        " come for all instances, whatever the profile includes"
                                  : "");
}

// CKA-093
Verdict UnknownLabelTypesAreErrors(Bench& bench, Session& session) {
  const auto requests = Requests(bench.knowledge());
  if (!requests) return requests.error();
  bool labels = false;
  bool sets = false;
  for (const pdu::LabelReq& request : *requests) {
    const Answer answer = session.Ask(request);
    if (!answer.is_pdu()) {
      return LeftTo({"CKA-091"_clause}, Session::Unexpected(request, answer, pdu::PduType::kLabel))
          .value();
    }
    if (const auto* const label = answer.As<pdu::Label>()) {
      labels = true;
      sets |= !label->sets.empty();
    }
    if (sets) break;
  }
  if (!labels) return Verdict::NotChecked("the agent knows no labels: it answers with no LABEL");
  OffenceWalk offences(bench, session);
  for (const std::uint32_t type : {64U, 0U}) {
    const pdu::LabelReq request{bench.knowledge().domain, type};
    const Answer answer = session.Ask(request);
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && error->code == ErrorCode::kType) continue;
    // PMD-093
    const auto* const label = answer.As<pdu::Label>();
    if (!sets && label != nullptr && label->sets.empty()) continue;
    if (!offences.GoOn(Brief(request) + ": " + answer.ToText() + ", where ERROR " +
                       CodeText(ErrorCode::kType) + " is due")) {
      break;
    }
  }
  return offences.Or(Verdict::Pass(sets ? "" : kNoLabels));
}

// CKA-094
Verdict LabelsOfNothingAreNone(Bench& bench, Session& session) {
  const auto indom = bench.knowledge().UnusedIndom();
  if (!indom) return indom.error();
  const auto pmid = bench.knowledge().UnusedPmid();
  if (!pmid) return pmid.error();
  OffenceWalk offences(bench, session);
  for (const pdu::LabelReq& request : {pdu::LabelReq{indom->value, Number(LabelClass::kIndom)},
                                       pdu::LabelReq{indom->value, Number(LabelClass::kInstances)},
                                       pdu::LabelReq{pmid->value, Number(LabelClass::kItem)}}) {
    const Answer answer = session.Ask(request);
    if (answer.As<pdu::Error>() != nullptr) continue;
    const auto* const label = answer.As<pdu::Label>();
    if (label != nullptr && label->sets.empty()) continue;
    const std::string wrong =
        label == nullptr ? answer.ToText() + ", where LABEL or ERROR is due"
                         : std::to_string(label->sets.size()) + " label sets of what is not there";
    if (!offences.GoOn(Brief(request) + ": " + wrong)) break;
  }
  return offences.Or(Verdict::Pass());
}

constexpr Check kChecks[] = {
    {"CKA-091"_clause, LabelsAreWellFormed},
    {"CKA-092"_clause, EachInstanceHasOneLabelSet},
    {"CKA-093"_clause, UnknownLabelTypesAreErrors},
    {"CKA-094"_clause, LabelsOfNothingAreNone},
};

}  // namespace

std::span<const Check> LabelChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
