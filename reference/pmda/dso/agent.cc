// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/agent.h"

#include <cstdlib>
#include <cstring>
#include <utility>
#include <variant>

#include "reference/pmda/dso/block_order.h"
#include "reference/pmda/pdu/error_codes.h"

namespace pmproof::dso {
namespace {

// More of anything than an agent has: a count above it is taken for nonsense.
constexpr int kMost = 1 << 20;

bool Sane(int count) { return count >= 0 && count <= kMost; }

std::string_view TextOf(const char* text) { return {text, strnlen(text, kMost)}; }

// C functions take texts that end at a NUL: there is no name with one inside.
bool HasNul(std::string_view text) { return text.find('\0') != text.npos; }

std::string Returned(int status, std::string_view what) {
  return "returned " + std::to_string(status) + " and " + std::string(what);
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename T>
using Heap = std::unique_ptr<T, Free>;

// DSO-025: the sets are the host's, and the blocks of those that say so.
void FreeValues(const Result& result) {
  for (int i = 0; i < result.numpmid; ++i) {
    ValueSet* set = result.sets[i];
    if (set == nullptr) continue;
    if (set->numval > 0 && set->valfmt == 1) {
      for (int k = 0; k < set->numval; ++k) std::free(set->values[k].of.block);
    }
    std::free(set);
  }
}

void FreeInstances(Instances* instances) {
  for (int i = 0; instances->names != nullptr && i < instances->numinst; ++i) {
    std::free(instances->names[i]);
  }
  std::free(instances->names);
  std::free(instances->numbers);
  std::free(instances);
}

}  // namespace

Agent::Agent(Interface& interface, Observer& observer)
    : interface_(interface), observer_(&observer) {}

void Agent::Answer(const pdu::Pdu& request, pdu::Buffer* out) {
  client_ = request.from;
  std::visit([&](const auto& body) { On(body, out); }, request.body);
}

template <typename F, typename... Arguments>
int Agent::Call(std::string_view name, F function, Arguments... arguments) {
  if (function == nullptr) {
    Violate("CKA-164"_clause, name, "is null");
    return static_cast<int>(ErrorCode::kGeneric);
  }
  if (interface_.version >= kContext && interface_.ext != nullptr) {
    interface_.ext->context = client_;  // DSO-023
  }
  running_ = name;
  const int status = function(arguments..., interface_.ext);
  running_ = {};
  return status;
}

void Agent::Violate(Clause clause, std::string_view function, std::string message) {
  observer_->OnViolation({clause, function, std::move(message)});
}

void Agent::AnswerError(ErrorCode code, pdu::Buffer* out) {
  Reply(pdu::Error{.code = code}, {}, out);
}

void Agent::Reply(const pdu::Body& body, std::string_view function, pdu::Buffer* out) {
  const auto written = pdu::Encode({.body = body}, out);
  if (written) return;
  Violate(written.error().clause, function,
          "gave what is not an answer: " + written.error().ToText());
  AnswerError(pdu::kErrIpc, out);
}

// --- profile, fetch

void Agent::On(const pdu::Profile& request, pdu::Buffer*) {
  auto next = std::make_unique<HostProfile>(request);
  Call("profile", interface_.profile, next->get());
  profile_ = std::move(next);  // the one before ends when the agent has the new one
}

void Agent::EnsureProfile() {
  if (profile_ == nullptr) On(pdu::Profile{}, nullptr);
}

void Agent::On(const pdu::Fetch& request, pdu::Buffer* out) {
  EnsureProfile();
  std::vector<std::uint32_t> pmids;
  pmids.reserve(request.pmids.size());
  for (const Pmid pmid : request.pmids) pmids.push_back(pmid.value);
  Result* result = nullptr;
  const int count = static_cast<int>(pmids.size());
  const int status = Call("fetch", interface_.fetch, count, pmids.data(), &result);
  if (status < 0) return AnswerError(static_cast<ErrorCode>(status), out);
  if (result == nullptr) {
    Violate("DSO-025"_clause, "fetch", Returned(status, "no result"));
    return AnswerError(pdu::kErrIpc, out);
  }
  if (result->numpmid != count) {
    Violate("PDU-109"_clause, "fetch",
            "gave " + std::to_string(result->numpmid) + " value sets for " + std::to_string(count) +
                " metrics");
    if (Sane(result->numpmid)) FreeValues(*result);
    return AnswerError(pdu::kErrIpc, out);
  }
  sets_.clear();
  values_.clear();
  bodies_.clear();
  for (int i = 0; i < count; ++i) {
    if (result->sets[i] == nullptr) {
      Violate("DSO-025"_clause, "fetch", "gave a value set that is null");
      sets_.push_back({.pmid = Pmid{pmids[static_cast<std::size_t>(i)]}, .status = pdu::kErrIpc});
    } else if (!AddValues(*result->sets[i])) {
      return AnswerError(pdu::kErrIpc, out);  // nor can it be freed
    }
  }
  // DSO-010: the low word carries the flags; of the time nothing is meant.
  Reply(pdu::Result{.seconds = static_cast<std::int32_t>(result->state),
                    .microseconds = static_cast<std::int32_t>(result->unused),
                    .sets = sets_},
        "fetch", out);
  FreeValues(*result);
}

bool Agent::AddValues(const ValueSet& set) {
  if (set.numval <= 0) {
    sets_.push_back({.pmid = Pmid{set.pmid}, .status = static_cast<ErrorCode>(set.numval)});
    return true;
  }
  if (!Sane(set.numval)) {
    Violate("PDU-107"_clause, "fetch",
            "gave " + std::to_string(set.numval) + " values of a metric");
    return false;
  }
  if (set.valfmt < 0 || set.valfmt > 2) {
    Violate("PDU-101"_clause, "fetch", "gave value format " + std::to_string(set.valfmt));
    return false;
  }
  std::vector<pdu::InstanceValue>& values = values_.emplace_back();
  for (int i = 0; i < set.numval; ++i) {
    const Value& value = set.values[i];
    if (set.valfmt == 0) {
      values.push_back(
          {.instance = value.instance, .word = static_cast<std::uint32_t>(value.of.word)});
      continue;
    }
    const ValueBlock* block = value.of.block;
    if (block == nullptr || (block->header & 0xffffff) < offsetof(ValueBlock, body)) {
      Violate("PDU-104"_clause, "fetch", "gave a value block that is null or shorter than 4");
      return false;
    }
    const auto type = static_cast<MetricType>(block->header >> 24);
    const std::size_t size = (block->header & 0xffffff) - offsetof(ValueBlock, body);
    std::vector<std::uint8_t>& body = bodies_.emplace_back(block->body, block->body + size);
    if (!ToWireOrder(type, body)) {
      Violate("PDU-105"_clause, "fetch",
              "gave a value block of type " + ToText(type) + " with a body of " +
                  std::to_string(size) + " bytes that is not of that type");
    }
    values.push_back({.instance = value.instance, .type = type, .body = body});
  }
  sets_.push_back({.pmid = Pmid{set.pmid},
                   .format = static_cast<pdu::ValueFormat>(set.valfmt),
                   .values = values});
  return true;
}

// --- descriptors, instances, texts, stores

void Agent::On(const pdu::DescReq& request, pdu::Buffer* out) {
  Desc desc{};
  const int status = Call("desc", interface_.desc, request.pmid.value, &desc);
  if (status < 0) return AnswerError(static_cast<ErrorCode>(status), out);
  Reply(pdu::Desc{Descriptor{.pmid = Pmid{desc.pmid},
                             .type = static_cast<MetricType>(desc.type),
                             .indom = Indom{desc.indom},
                             .semantics = static_cast<Semantics>(desc.semantics),
                             .units = Units{desc.units}}},
        "desc", out);
}

void Agent::On(const pdu::InstanceReq& request, pdu::Buffer* out) {
  if (HasNul(request.name)) return AnswerError(ErrorCode::kInstance, out);
  std::string name(request.name);
  Instances* found = nullptr;
  const int status = Call("instance", interface_.instance, request.indom.value, request.instance,
                          name.empty() ? nullptr : name.data(), &found);
  if (status < 0) return AnswerError(static_cast<ErrorCode>(status), out);
  if (found == nullptr) {
    Violate("DSO-027"_clause, "instance", Returned(status, "no instances"));
    return AnswerError(pdu::kErrIpc, out);
  }
  if (!Sane(found->numinst) ||
      (found->numinst > 0 && found->numbers == nullptr && found->names == nullptr)) {
    Violate("DSO-027"_clause, "instance",
            "gave " + std::to_string(found->numinst) + " instances, or no list of them");
    return AnswerError(pdu::kErrIpc, out);
  }
  std::vector<pdu::InstanceEntry> entries(static_cast<std::size_t>(found->numinst));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (found->numbers != nullptr) entries[i].instance = found->numbers[i];
    if (found->names == nullptr) continue;
    if (found->names[i] == nullptr) {
      Violate("DSO-027"_clause, "instance", "gave a name that is null");
    } else {
      entries[i].name = TextOf(found->names[i]);
    }
  }
  Reply(pdu::Instance{Indom{found->indom}, entries}, "instance", out);
  FreeInstances(found);
}

void Agent::On(const pdu::TextReq& request, pdu::Buffer* out) {
  char* text = nullptr;  // the agent's (DSO-028)
  const int status = Call("text", interface_.text, static_cast<int>(request.identifier),
                          static_cast<int>(request.type), &text);
  if (status < 0) return AnswerError(static_cast<ErrorCode>(status), out);
  if (text == nullptr) {
    Violate("DSO-028"_clause, "text", Returned(status, "no text"));
    return AnswerError(pdu::kErrIpc, out);
  }
  Reply(pdu::Text{request.identifier, TextOf(text)}, "text", out);
}

void Agent::On(const pdu::Result& request, pdu::Buffer* out) {
  HostStore store(request);
  AnswerError(static_cast<ErrorCode>(Call("store", interface_.store, store.get())), out);
}

// --- names

void Agent::On(const pdu::PmnsNames& request, pdu::Buffer* out) {
  if (request.names.size() != 1) return AnswerError(pdu::kErrIpc, out);  // PMD-096
  const std::string name(request.names[0].name);
  if (interface_.version < kNames || HasNul(name)) return AnswerError(ErrorCode::kName, out);
  std::uint32_t pmid = Pmid::Null().value;
  const int status = Call("pmid", interface_.pmid, name.c_str(), &pmid);
  if (status < 0) return AnswerError(static_cast<ErrorCode>(status), out);
  const Pmid found[] = {Pmid{pmid}};
  Reply(pdu::PmnsIds{.pmids = found}, "pmid", out);
}

void Agent::On(const pdu::PmnsIds& request, pdu::Buffer* out) {
  if (request.pmids.size() != 1) return AnswerError(pdu::kErrIpc, out);  // PMD-097
  if (interface_.version < kNames) return AnswerError(ErrorCode::kPmid, out);
  char** names = nullptr;
  const int count = Call("name", interface_.name, request.pmids[0].value, &names);
  if (count < 0) return AnswerError(static_cast<ErrorCode>(count), out);
  const Heap<char*> list(count > 0 ? names : nullptr);  // one block (DSO-030)
  if (!Sane(count) || (count > 0 && names == nullptr)) {
    Violate("DSO-030"_clause, "name", Returned(count, "no names"));
    return AnswerError(pdu::kErrIpc, out);
  }
  AnswerNames(names, nullptr, count, out);
}

void Agent::On(const pdu::PmnsChild& request, pdu::Buffer* out) {
  AnswerChildren(std::string(request.name), false, request.subtype == 1, out);
}

void Agent::On(const pdu::PmnsTraverse& request, pdu::Buffer* out) {
  AnswerChildren(std::string(request.name), true, false, out);
}

void Agent::AnswerChildren(const std::string& name, bool traverse, bool status, pdu::Buffer* out) {
  if (interface_.version < kNames || HasNul(name)) return AnswerError(ErrorCode::kName, out);
  char** names = nullptr;
  int* states = nullptr;
  const int count =
      Call("children", interface_.children, name.c_str(), traverse ? 1 : 0, &names, &states);
  if (count < 0) return AnswerError(static_cast<ErrorCode>(count), out);
  const Heap<char*> name_list(count > 0 ? names : nullptr);
  const Heap<int> state_list(count > 0 && !traverse ? states : nullptr);
  if (!Sane(count) || (count > 0 && (names == nullptr || (!traverse && states == nullptr)))) {
    Violate("DSO-030"_clause, "children", Returned(count, "no names, or no states of them"));
    return AnswerError(pdu::kErrIpc, out);
  }
  AnswerNames(names, status ? states : nullptr, count, out);
}

void Agent::AnswerNames(char** names, const int* status, int count, pdu::Buffer* out) {
  std::vector<pdu::PmnsName> list;
  list.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    if (names[i] == nullptr) {
      Violate("DSO-030"_clause, status != nullptr ? "children" : "name",
              "gave a name that is null");
      return AnswerError(pdu::kErrIpc, out);
    }
    list.push_back({TextOf(names[i]), status != nullptr ? status[i] : pdu::kLeaf});
  }
  Reply(pdu::PmnsNames{.has_status = status != nullptr && count > 0, .names = list}, "children",
        out);
}

// --- labels, attributes, clients

void Agent::On(const pdu::LabelReq& request, pdu::Buffer* out) {
  if (interface_.version < kLabels) {  // PMD-093
    return Reply(pdu::Label{.identifier = 0xffffffff, .type = request.type}, "label", out);
  }
  EnsureProfile();
  LabelSet* sets = nullptr;
  const int count = Call("label", interface_.label, static_cast<int>(request.identifier),
                         static_cast<int>(request.type), &sets);
  if (count < 0) return AnswerError(static_cast<ErrorCode>(count), out);
  const Heap<LabelSet> array(count > 0 ? sets : nullptr);
  if (!Sane(count) || (count > 0 && sets == nullptr)) {
    Violate("DSO-032"_clause, "label", Returned(count, "no label sets"));
    return AnswerError(pdu::kErrIpc, out);
  }
  std::vector<pdu::LabelSet> list(static_cast<std::size_t>(count));
  std::vector<std::vector<pdu::LabelEntry>> labels(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const LabelSet& set = sets[i];
    list[i].instance = set.instance;
    if (set.nlabels < 0) {
      list[i].status = static_cast<ErrorCode>(set.nlabels);
      continue;
    }
    if (static_cast<std::size_t>(set.nlabels) > pdu::kMaxLabels ||
        (set.nlabels > 0 && (set.labels == nullptr || set.json == nullptr))) {
      Violate("DSO-032"_clause, "label",
              "gave a set of " + std::to_string(set.nlabels) + " labels, or none of them");
      list[i].status = pdu::kErrIpc;
      continue;
    }
    for (int k = 0; k < set.nlabels; ++k) {
      const Label& label = set.labels[k];
      labels[i].push_back({label.name_offset, label.name_length, label.flags, label.value_offset,
                           label.value_length});
    }
    list[i].labels = labels[i];
    if (set.json != nullptr) list[i].json = {set.json, set.json_length};
  }
  Reply(pdu::Label{request.identifier, request.type, list}, "label", out);
  for (int i = 0; i < count; ++i) {
    std::free(sets[i].json);
    std::free(sets[i].labels);
    std::free(sets[i].hash);
  }
}

void Agent::On(const pdu::Attr& request, pdu::Buffer*) {
  constexpr unsigned kWanted = pdu::kFeatureAuth | pdu::kFeatureContainer;
  if (interface_.version < kAttributes || (interface_.flags & kWanted) == 0) return;  // DSO-031
  std::string value(request.value);
  if (!value.empty() && value.back() == '\0') value.pop_back();
  Call("attribute", interface_.attribute, client_, static_cast<int>(request.attribute),
       value.c_str(), static_cast<int>(value.size() + 1));
}

void Agent::On(const pdu::Error& request, pdu::Buffer*) {
  if (request.code != pdu::kErrNotConnected || interface_.version < kContext ||
      interface_.ext == nullptr || interface_.ext->end_of_client == nullptr) {
    return;
  }
  interface_.ext->context = client_;
  running_ = "end of client";
  interface_.ext->end_of_client(client_);
  running_ = {};
}

}  // namespace pmproof::dso
