// SPDX-License-Identifier: Apache-2.0
#include "generators/agent/faults/edit_pdu.h"

namespace pmproof::generators {
namespace {

// Calls edit(body) on the decoded reply and encodes what it gives.
template <typename T, typename Edit>
void EditBody(pdu::Buffer& reply, Edit&& edit) {
  pdu::Decoder decoder;
  const auto decoded = decoder.Decode(reply);
  if (!decoded) return;
  const T* body = std::get_if<T>(&decoded->body);
  if (body == nullptr) return;
  pdu::Buffer out;
  edit(*body, [&](const T& changed) {
    if (pdu::Encode({decoded->from, changed}, &out)) return;
    out.clear();
  });
  if (!out.empty()) reply = std::move(out);
}

}  // namespace

bool Is(const pdu::Buffer& reply, pdu::PduType type) {
  return reply.size() >= pdu::kHeaderSize && pdu::LoadHeader(reply).type == type;
}

pdu::Buffer Encoded(const pdu::Body& body) {
  pdu::Buffer out;
  (void)pdu::Encode({0, body}, &out);
  return out;
}

pdu::Buffer ErrorReply(ErrorCode code) { return Encoded(pdu::Error{code}); }

std::uint32_t GetU32(const pdu::Buffer& reply, std::size_t offset) {
  return offset + 4 <= reply.size() ? LoadU32(reply.data() + offset) : 0;
}

void SetU32(pdu::Buffer& reply, std::size_t offset, std::uint32_t value) {
  if (offset + 4 <= reply.size()) StoreU32(reply.data() + offset, value);
}

void Append(pdu::Buffer& reply, const pdu::Buffer& more) {
  reply.insert(reply.end(), more.begin(), more.end());
}

void FixLength(pdu::Buffer& reply) { SetU32(reply, 0, static_cast<std::uint32_t>(reply.size())); }

void EditSets(pdu::Buffer& reply, const std::function<void(std::vector<EditableSet>&)>& edit) {
  EditBody<pdu::Result>(reply, [&](const pdu::Result& result, const auto& encode) {
    std::vector<EditableSet> editable;
    for (const pdu::ValueSet& set : result.sets) {
      editable.push_back({set, {set.values.begin(), set.values.end()}});
    }
    edit(editable);
    std::vector<pdu::ValueSet> sets;
    for (EditableSet& one : editable) {
      one.set.values = one.values;
      if (one.values.empty()) one.set.format = pdu::ValueFormat::kInsitu;
      if (!one.values.empty()) one.set.status = ErrorCode::kOk;
      sets.push_back(one.set);
    }
    encode({result.seconds, result.microseconds, sets});
  });
}

void EditDescriptor(pdu::Buffer& reply, const std::function<void(Descriptor&)>& edit) {
  EditBody<pdu::Desc>(reply, [&](pdu::Desc desc, const auto& encode) {
    edit(desc.descriptor);
    encode(desc);
  });
}

void EditInstances(pdu::Buffer& reply,
                   const std::function<void(std::vector<pdu::InstanceEntry>&)>& edit) {
  EditBody<pdu::Instance>(reply, [&](const pdu::Instance& instance, const auto& encode) {
    std::vector<pdu::InstanceEntry> entries(instance.instances.begin(), instance.instances.end());
    edit(entries);
    encode({instance.indom, entries});
  });
}

void EditNames(pdu::Buffer& reply, const std::function<void(std::vector<pdu::PmnsName>&)>& edit) {
  EditBody<pdu::PmnsNames>(reply, [&](const pdu::PmnsNames& pmns, const auto& encode) {
    std::vector<pdu::PmnsName> names(pmns.names.begin(), pmns.names.end());
    edit(names);
    encode({pmns.has_status && !names.empty(), names});
  });
}

void EditLabels(pdu::Buffer& reply, const std::function<void(std::vector<EditableLabels>&)>& edit) {
  EditBody<pdu::Label>(reply, [&](const pdu::Label& label, const auto& encode) {
    std::vector<EditableLabels> editable;
    for (const pdu::LabelSet& set : label.sets) {
      editable.push_back({set, {set.labels.begin(), set.labels.end()}});
    }
    edit(editable);
    std::vector<pdu::LabelSet> sets;
    for (EditableLabels& one : editable) {
      one.set.labels = one.labels;
      sets.push_back(one.set);
    }
    encode({label.identifier, label.type, sets});
  });
}

std::vector<std::size_t> SetOffsets(const pdu::Buffer& reply) {
  std::vector<std::size_t> offsets;
  if (!Is(reply, pdu::PduType::kResult)) return offsets;
  const std::uint32_t count = GetU32(reply, 20);
  std::size_t at = 24;
  for (std::uint32_t i = 0; i < count && at + 8 <= reply.size(); ++i) {
    offsets.push_back(at);
    const auto values = static_cast<std::int32_t>(GetU32(reply, at + 4));
    at += 8 + (values > 0 ? 4 + 8 * static_cast<std::size_t>(values) : 0);
  }
  return offsets;
}

}  // namespace pmproof::generators
