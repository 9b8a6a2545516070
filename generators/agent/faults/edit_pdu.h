// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_FAULTS_EDIT_PDU_H_
#define PMPROOF_GENERATORS_AGENT_FAULTS_EDIT_PDU_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/agent/fault.h"
#include "reference/pmda/pdu/encode.h"

// What faults do to answers: one PDU in a buffer, or nothing. An edit of what is not there changes
// nothing; what cannot be encoded afterwards stays as it was.

namespace pmproof::generators {

bool Is(const pdu::Buffer& reply, pdu::PduType type);

pdu::Buffer Encoded(const pdu::Body& body);
pdu::Buffer ErrorReply(ErrorCode code);

// The bytes of a reply.
std::uint32_t GetU32(const pdu::Buffer& reply, std::size_t offset);
void SetU32(pdu::Buffer& reply, std::size_t offset, std::uint32_t value);
void Append(pdu::Buffer& reply, const pdu::Buffer& more);
// Puts the length of what is there into the header.
void FixLength(pdu::Buffer& reply);

// An answer taken apart; lists may grow. Texts and bodies are views of the answer as it came, or of
// what lives longer than the edit.
struct EditableSet {
  pdu::ValueSet set{};  // its list is `values`
  std::vector<pdu::InstanceValue> values{};
};
void EditSets(pdu::Buffer& reply, const std::function<void(std::vector<EditableSet>&)>& edit);
void EditDescriptor(pdu::Buffer& reply, const std::function<void(Descriptor&)>& edit);
void EditInstances(pdu::Buffer& reply,
                   const std::function<void(std::vector<pdu::InstanceEntry>&)>& edit);
void EditNames(pdu::Buffer& reply, const std::function<void(std::vector<pdu::PmnsName>&)>& edit);
struct EditableLabels {
  pdu::LabelSet set{};  // its list is `labels`
  std::vector<pdu::LabelEntry> labels{};
};
void EditLabels(pdu::Buffer& reply, const std::function<void(std::vector<EditableLabels>&)>& edit);

// The value sets of a RESULT that was not taken apart: where each begins in the bytes.
std::vector<std::size_t> SetOffsets(const pdu::Buffer& reply);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_FAULTS_EDIT_PDU_H_
