// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/agent_responder.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace pmproof::pmda {
namespace {

using pdu::Buffer;
using pdu::PduType;

// An agent's code that is not an error is none that may be sent as one.
ErrorCode AsError(ErrorCode code) {
  return static_cast<std::int32_t>(code) > 0 ? ErrorCode::kGeneric : code;
}

// Adds a sample to the current set: kOk, or why it is not a value of that type.
ErrorCode AddSample(std::int32_t instance, MetricType type, const Sample& sample,
                    pdu::ResultBuilder* result) {
  if (const auto* value = std::get_if<Value>(&sample)) {
    if (value->type != type) return ErrorCode::kConversion;
    if (type == MetricType::kString) {
      result->AddString(instance, AsText(value->opaque));
    } else {
      result->Add(instance, *value);
    }
    return ErrorCode::kOk;
  }
  const std::string& bytes = std::get<std::string>(sample);
  if (IsNumeric(type) || bytes.size() >= pdu::kMaxBlockBody) return ErrorCode::kConversion;
  if (type == MetricType::kString) {
    result->AddString(instance, bytes);
  } else {
    result->AddBlock(instance, type, AsBytes(bytes));
  }
  return ErrorCode::kOk;
}

}  // namespace

AgentResponder::AgentResponder(Agent& agent, std::int32_t process,
                               const pdu::Strictness& strictness)
    : agent_(agent), process_(process), decoder_(strictness) {}

void AgentResponder::Begin(Buffer* out) {
  const std::array version = {
      pdu::Credential::Version(pdu::kProtocolVersion, agent_.identity().features)};
  (void)pdu::Encode({process_, pdu::Creds{version}}, out);
}

// PDU-135: exactly one PDU is taken here; another than CREDS is swallowed.
Responder::Next AgentResponder::Connect(Bytes creds, Buffer* out) {
  connected_ = true;
  if (pdu::LoadHeader(creds).type == PduType::kCreds && !decoder_.Decode(creds)) return Next::kEnd;
  waiting_ = agent_.announces_ready();
  if (waiting_ && agent_.ready_at().passed()) Wake(out);
  return Next::kGoOn;
}

Responder::Next AgentResponder::Respond(Bytes request, Buffer* out) {
  if (!connected_) return Connect(request, out);
  const pdu::Header header = pdu::LoadHeader(request);
  const bool answered = pdu::AgentAnswers(header.type);
  if (answered && !agent_.ready_at().passed()) {
    waiting_ = true;
    SendError(pdu::kErrPmdaNotReady, out);
    return Next::kGoOn;
  }
  const auto decoded = decoder_.Decode(request);
  if (!decoded) {
    if (answered) SendError(decoded.error().code, out);
    return Next::kGoOn;
  }
  agent_.set_client(decoded->from);
  if (answered) {
    Answer(decoded->body, out);
  } else if (const auto* profile = std::get_if<pdu::Profile>(&decoded->body)) {
    On(*profile);
  } else if (const auto* attr = std::get_if<pdu::Attr>(&decoded->body)) {
    On(*attr);
  } else if (const auto* error = std::get_if<pdu::Error>(&decoded->body)) {
    On(*error);
  }
  return Next::kGoOn;
}

void AgentResponder::Answer(const pdu::Body& request, Buffer* out) {
  std::visit(
      [this, out](const auto& body) {
        if constexpr (requires { On(body, out); }) On(body, out);
      },
      request);
}

void AgentResponder::Wake(Buffer* out) {
  if (!waiting_ || !agent_.ready_at().passed()) return;
  waiting_ = false;
  SendError(pdu::kErrPmdaReady, out);
}

void AgentResponder::Send(pdu::Body body, Buffer* out) {
  // What an agent has may be more than a PDU takes: the collector hears of it, once.
  if (!pdu::Encode({0, std::move(body)}, out)) SendError(ErrorCode::kGeneric, out);
}

void AgentResponder::SendError(ErrorCode code, Buffer* out) {
  (void)pdu::Encode({0, pdu::Error{code}}, out);
}

// PMD-080..084.
void AgentResponder::On(const pdu::Fetch& fetch, Buffer* out) {
  if (agent_.hooks().before_fetch) {
    const ErrorCode refused = AsError(agent_.hooks().before_fetch());
    if (refused != ErrorCode::kOk) return SendError(refused, out);
  }
  result_.Begin();
  for (const Pmid pmid : fetch.pmids) AddValues(pmid);
  const pdu::ResultBuilder::Envelope envelope{.seconds = agent_.TakeChanges()};
  if (!result_.Finish(envelope, out)) {
    SendError(ErrorCode::kGeneric, out);
  }
}

void AgentResponder::AddValues(Pmid pmid) {
  const Agent::MetricEntry* metric = agent_.FindMetric(pmid);
  if (metric == nullptr) return result_.AddSet(pmid, ErrorCode::kPmid);
  const MetricType type = metric->descriptor.type;
  if (type == MetricType::kNoSupport) return result_.AddSet(pmid, pdu::kErrAppVersion);
  result_.AddSet(pmid);
  if (!metric->sampler) return;
  bool any = false;
  ErrorCode last = ErrorCode::kOk;  // of the last instance asked for (PMD-083)
  const auto take = [&](std::int32_t instance) {
    const Sample sample = metric->sampler(instance);
    if (std::holds_alternative<NoValue>(sample)) {
      last = ErrorCode::kOk;
      return;
    }
    const ErrorCode* error = std::get_if<ErrorCode>(&sample);
    last = error != nullptr ? AsError(*error) : AddSample(instance, type, sample, &result_);
    if (error == nullptr && last == ErrorCode::kOk) any = true;
  };
  if (metric->indom == nullptr) {
    take(kInstanceNull);
  } else {
    const Indom indom = Indom::Of(agent_.domain(), metric->descriptor.indom.serial());
    const ActiveProfile::Selection wanted = profile_.For(indom);
    for (const InstanceDomain::Instance& instance : metric->indom->instances()) {
      if (instance.active && wanted.Includes(instance.number)) take(instance.number);
    }
  }
  if (!any && last != ErrorCode::kOk) result_.SetStatus(last);
}

// PMD-085, PMD-086.
void AgentResponder::On(const pdu::DescReq& request, Buffer* out) {
  const Agent::MetricEntry* metric = agent_.FindMetric(request.pmid);
  if (metric == nullptr) return SendError(ErrorCode::kPmid, out);
  Send(pdu::Desc{agent_.Describe(*metric)}, out);
}

// PDU-061, PDU-062, PMD-087..089.
void AgentResponder::On(const pdu::InstanceReq& request, Buffer* out) {
  const InstanceDomain* indom = agent_.FindIndom(request.indom);
  if (indom == nullptr) return SendError(ErrorCode::kIndom, out);
  if (agent_.hooks().before_instances) {
    const ErrorCode refused = AsError(agent_.hooks().before_instances(request.indom));
    if (refused != ErrorCode::kOk) return SendError(refused, out);
  }
  const bool by_number = request.instance != kInstanceNull;
  const bool by_name = !request.name.empty();
  if (by_number && by_name) return SendError(ErrorCode::kInstance, out);
  instances_.clear();
  if (by_number) {
    const auto* found = indom->FindNumber(request.instance);
    if (found == nullptr) return SendError(ErrorCode::kInstance, out);
    instances_.push_back({kInstanceNull, found->name});
  } else if (by_name) {
    const auto* found = indom->FindName(request.name);
    if (found == nullptr) return SendError(ErrorCode::kInstance, out);
    instances_.push_back({found->number, {}});
  } else {
    for (const InstanceDomain::Instance& instance : indom->instances()) {
      if (instance.active) instances_.push_back({instance.number, instance.name});
    }
  }
  Send(pdu::Instance{request.indom, instances_}, out);
}

// PDU-065, PMD-090. The request's identifier is echoed (PDU-066).
void AgentResponder::On(const pdu::TextReq& request, Buffer* out) {
  tl::expected<std::string_view, ErrorCode> text = tl::unexpected(pdu::kErrText);
  if ((request.type & pdu::kTextPmid) != 0) {
    text = agent_.FindHelp(Pmid{request.identifier}, request.type);
  } else if ((request.type & pdu::kTextIndom) != 0) {
    text = agent_.FindHelp(Indom{request.identifier}, request.type);
  }
  if (!text) return SendError(text.error(), out);
  Send(pdu::Text{request.identifier, *text}, out);
}

// PMD-091..093.
void AgentResponder::On(const pdu::LabelReq& request, Buffer* out) {
  if (!agent_.identity().labels) {
    return Send(pdu::Label{0xffffffff, request.type, {}}, out);
  }
  label_sets_.clear();
  const auto add_unless_empty = [this](const LabelTarget& target) {
    const pdu::LabelSet set = agent_.labels().Find(target);
    if (!set.labels.empty()) label_sets_.push_back(set);
  };
  constexpr std::uint32_t kFlags = kLabelFlagCompound | kLabelFlagOptional;
  const Pmid pmid{request.identifier};
  const Indom indom{request.identifier};
  const bool own_pmid = !pmid.flag() && pmid.domain() == agent_.domain();
  const auto answer = [this, &request, out] {
    Send(pdu::Label{request.identifier, request.type, label_sets_}, out);
  };
  switch (static_cast<LabelClass>(request.type & ~kFlags)) {
    case LabelClass::kContext:
      return answer();
    case LabelClass::kDomain:
      add_unless_empty(LabelTarget::Domain());  // whatever the identifier: dbpmda sends none
      return answer();
    case LabelClass::kIndom:
      if (agent_.FindIndom(indom) != nullptr) add_unless_empty(LabelTarget::Indom(indom.serial()));
      return answer();
    case LabelClass::kCluster:
      if (own_pmid) add_unless_empty(LabelTarget::Cluster(pmid.cluster()));
      return answer();
    case LabelClass::kItem:
      if (agent_.FindMetric(pmid) != nullptr) {
        add_unless_empty(LabelTarget::Item(pmid.cluster(), pmid.item()));
      }
      return answer();
    case LabelClass::kInstances:
      if (const InstanceDomain* instances = agent_.FindIndom(indom)) {
        const ActiveProfile::Selection wanted = profile_.For(indom);
        for (const InstanceDomain::Instance& instance : instances->instances()) {
          if (!instance.active || !wanted.Includes(instance.number)) continue;
          label_sets_.push_back(
              agent_.labels().Find(LabelTarget::Instance(indom.serial(), instance.number)));
        }
      }
      return answer();
  }
  SendError(ErrorCode::kType, out);
}

// PMD-094, PMD-095. The time is undefined (PDU-114).
void AgentResponder::On(const pdu::Result& store, Buffer* out) {
  stored_.clear();
  std::copy_if(store.sets.begin(), store.sets.end(), std::back_inserter(stored_),
               [](const pdu::ValueSet& set) { return !set.values.empty(); });
  ErrorCode code = ErrorCode::kOk;
  if (!stored_.empty()) {
    code = agent_.hooks().store ? AsError(agent_.hooks().store(stored_)) : pdu::kErrPermission;
  }
  SendError(code, out);
}

// PMD-100. True if there are no names, and that was said.
bool AgentResponder::NamesAnswered(Buffer* out, ErrorCode without_names) {
  if (agent_.hooks().before_names) agent_.hooks().before_names();
  if (agent_.names().size() != 0) return false;
  SendError(without_names, out);
  return true;
}

// PMD-096.
void AgentResponder::On(const pdu::PmnsNames& request, Buffer* out) {
  if (request.names.size() != 1) return SendError(pdu::kErrIpc, out);
  if (NamesAnswered(out, ErrorCode::kName)) return;
  const auto found = agent_.names().Find(request.names.front().name);
  if (!found) return SendError(found.error(), out);
  const std::array pmid = {Pmid::Of(agent_.domain(), found->cluster(), found->item())};
  Send(pdu::PmnsIds{0, pmid}, out);
}

// PMD-097.
void AgentResponder::On(const pdu::PmnsIds& request, Buffer* out) {
  if (request.pmids.size() != 1) return SendError(pdu::kErrIpc, out);
  if (NamesAnswered(out, ErrorCode::kPmid)) return;
  const Pmid pmid = request.pmids.front();
  std::vector<std::string> names;
  if (!pmid.flag() && pmid.domain() == agent_.domain()) {
    names = agent_.names().NamesOf(Pmid::Of(0, pmid.cluster(), pmid.item()));
  }
  if (names.empty()) return SendError(ErrorCode::kPmid, out);
  names_.clear();
  for (const std::string& name : names) names_.push_back({name});
  Send(pdu::PmnsNames{false, names_}, out);
}

// PMD-098.
void AgentResponder::On(const pdu::PmnsChild& request, Buffer* out) {
  if (NamesAnswered(out, ErrorCode::kName)) return;
  const auto children = agent_.names().Children(request.name);
  if (!children) return SendError(children.error(), out);
  const bool has_status = request.subtype == 1 && !children->empty();
  names_.clear();
  for (const NameTree::Child& child : *children) {
    names_.push_back({child.name, child.leaf || !has_status ? pdu::kLeaf : pdu::kNonLeaf});
  }
  Send(pdu::PmnsNames{has_status, names_}, out);
}

// PMD-099.
void AgentResponder::On(const pdu::PmnsTraverse& request, Buffer* out) {
  if (NamesAnswered(out, ErrorCode::kName)) return;
  const auto leaves = agent_.names().Traverse(request.name);
  if (!leaves) return SendError(leaves.error(), out);
  names_.clear();
  for (const NameTree::Leaf& leaf : *leaves) names_.push_back({leaf.name});
  Send(pdu::PmnsNames{false, names_}, out);
}

void AgentResponder::On(const pdu::Profile& profile) { profile_.Assign(profile); }

void AgentResponder::On(const pdu::Attr& attr) {
  if (agent_.hooks().attribute) {
    agent_.hooks().attribute(attr.attribute, UpToNul(attr.value));
  }
}

// PMD-072: only one code means something.
void AgentResponder::On(const pdu::Error& error) {
  if (error.code == pdu::kErrNotConnected && agent_.hooks().end_of_client) {
    agent_.hooks().end_of_client(agent_.client());
  }
}

}  // namespace pmproof::pmda
