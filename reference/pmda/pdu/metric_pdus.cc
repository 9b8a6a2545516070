// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/metric_pdus.h"

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kFetchPmids = 28;  // offset
constexpr std::size_t kDescriptor = 20;  // bytes (PDU-038)
constexpr std::size_t kDescReqSize = 16;
constexpr std::size_t kDescSize = 32;
constexpr std::size_t kDescIdsPmids = 20;      // offset
constexpr std::size_t kDescsDescriptors = 16;  // offset
constexpr std::size_t kInstanceReqName = 32;   // offset
constexpr std::size_t kInstanceEntries = 20;   // offset
constexpr std::size_t kTextReqSize = 20;
constexpr std::size_t kTextText = 20;  // offset

List<Pmid> LoadPmids(Reader& in, std::size_t offset, std::size_t count) {
  auto& pmids = in.lists.pmids;
  pmids.resize(count);
  for (std::size_t i = 0; i < count; ++i) pmids[i] = Pmid{in.U32(offset + 4 * i)};
  return pmids;
}

// FETCH and HIGHRES_FETCH: ctxid i32 @12, 8 unused bytes, npmid i32 @24, npmid x pmid u32 @28
Outcome ReadFetch(Reader& in, std::int32_t* context, List<Pmid>* pmids) {
  if (in.size() < kFetchPmids + 4) return Fault("PDU-056"_clause, 0, "len", "is below 32");
  const std::size_t count = in.U32(24);
  if (count != (in.size() - kFetchPmids) / 4 || in.size() % 4 != 0) {
    return Fault("PDU-056"_clause, 24, "npmid", "does not agree with len, 28 + 4 * npmid");
  }
  *context = in.I32(12);
  in.Unused(16, 8);
  *pmids = LoadPmids(in, kFetchPmids, count);
  return {};
}

Outcome WriteFetch(PduType type, std::int32_t context, const List<Pmid>& pmids, Writer& out) {
  if (pmids.empty()) return Fault("PDU-056"_clause, 24, "npmid", "is 0");
  return out.Begin(type, kFetchPmids + 4 * pmids.size()).map([&] {
    out.I32(context);
    out.I64(0);
    out.Count(pmids.size());
    for (const Pmid pmid : pmids) out.U32(pmid.value);
  });
}

// pmid u32, type i32, indom u32, sem i32, units u32
Descriptor LoadDescriptor(const Reader& in, std::size_t at) {
  return {Pmid{in.U32(at)}, static_cast<MetricType>(in.I32(at + 4)), Indom{in.U32(at + 8)},
          static_cast<Semantics>(in.I32(at + 12)), Units{in.U32(at + 16)}};
}

void StoreDescriptor(const Descriptor& descriptor, Writer& out) {
  out.U32(descriptor.pmid.value);
  out.I32(static_cast<std::int32_t>(descriptor.type));
  out.U32(descriptor.indom.value);
  out.I32(static_cast<std::int32_t>(descriptor.semantics));
  out.U32(descriptor.units.word);
}

}  // namespace

Outcome Read(Reader& in, Fetch* pdu) { return ReadFetch(in, &pdu->context, &pdu->pmids); }
Outcome Read(Reader& in, HighresFetch* pdu) { return ReadFetch(in, &pdu->context, &pdu->pmids); }
Outcome Write(const Fetch& pdu, Writer& out) {
  return WriteFetch(PduType::kFetch, pdu.context, pdu.pmids, out);
}
Outcome Write(const HighresFetch& pdu, Writer& out) {
  return WriteFetch(PduType::kHighresFetch, pdu.context, pdu.pmids, out);
}

// pmid u32 @12
Outcome Read(Reader& in, DescReq* pdu) {
  if (in.size() != kDescReqSize) return Fault("PMD-085"_clause, 0, "len", "is not 16");
  pdu->pmid = Pmid{in.U32(12)};
  return {};
}

Outcome Write(const DescReq& pdu, Writer& out) {
  return out.Begin(PduType::kDescReq, kDescReqSize).map([&] { out.U32(pdu.pmid.value); });
}

// descriptor @12
Outcome Read(Reader& in, Desc* pdu) {
  if (in.size() != kDescSize) return Fault("PDU-038"_clause, 0, "len", "is not 32");
  pdu->descriptor = LoadDescriptor(in, 12);
  return {};
}

Outcome Write(const Desc& pdu, Writer& out) {
  return out.Begin(PduType::kDesc, kDescSize).map([&] { StoreDescriptor(pdu.descriptor, out); });
}

// -1 @12, n i32 @16, n x pmid u32 @20
Outcome Read(Reader& in, DescIds* pdu) {
  if (in.size() < kDescIdsPmids + 4) return Fault("PDU-059"_clause, 0, "len", "is below 24");
  if (in.I32(12) != -1) return Fault("PDU-059"_clause, 12, "status", "is not -1");
  const std::size_t count = in.U32(16);
  const std::size_t fit = (in.size() - kDescIdsPmids) / 4;
  if (count == 0 || count > fit) return Fault("PDU-059"_clause, 16, "n", "does not agree with len");
  const std::size_t end = kDescIdsPmids + 4 * count;
  if (in.size() != end && !in.strictness.long_desc_ids_taken) {
    return Fault("PDU-059"_clause, end, "pmid", "is followed by bytes");
  }
  in.Rest(end);
  pdu->pmids = LoadPmids(in, kDescIdsPmids, count);
  return {};
}

Outcome Write(const DescIds& pdu, Writer& out) {
  if (pdu.pmids.empty()) return Fault("PDU-059"_clause, 16, "n", "is 0");
  return out.Begin(PduType::kDescIds, kDescIdsPmids + 4 * pdu.pmids.size()).map([&] {
    out.I32(-1);
    out.Count(pdu.pmids.size());
    for (const Pmid pmid : pdu.pmids) out.U32(pmid.value);
  });
}

// n i32 @12, n x descriptor @16
Outcome Read(Reader& in, Descs* pdu) {
  if (in.size() < kDescsDescriptors + kDescriptor) {
    return Fault("PDU-059"_clause, 0, "len", "is below 36");
  }
  const std::size_t count = in.U32(12);
  if (count > (in.size() - kDescsDescriptors) / kDescriptor ||
      in.size() != kDescsDescriptors + kDescriptor * count) {
    return Fault("PDU-059"_clause, 12, "n", "does not agree with len, 16 + 20 * n");
  }
  auto& descriptors = in.lists.descriptors;
  descriptors.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    descriptors[i] = LoadDescriptor(in, kDescsDescriptors + kDescriptor * i);
  }
  pdu->descriptors = descriptors;
  return {};
}

Outcome Write(const Descs& pdu, Writer& out) {
  if (pdu.descriptors.empty()) return Fault("PDU-059"_clause, 12, "n", "is 0");
  const std::size_t length = kDescsDescriptors + kDescriptor * pdu.descriptors.size();
  return out.Begin(PduType::kDescs, length).map([&] {
    out.Count(pdu.descriptors.size());
    for (const Descriptor& descriptor : pdu.descriptors) StoreDescriptor(descriptor, out);
  });
}

// indom u32 @12, 8 unused bytes, inst i32 @24, namelen i32 @28, name @32
Outcome Read(Reader& in, InstanceReq* pdu) {
  if (in.size() < kInstanceReqName) return Fault("PDU-060"_clause, 0, "len", "is below 32");
  const std::size_t size = in.U32(28);
  if (size > in.size() - kInstanceReqName) {
    return Fault("PDU-060"_clause, 28, "namelen", "name does not fit");
  }
  if (size > 0 && in.size() != kInstanceReqName + Padded(size) &&
      !in.strictness.loose_instance_req_taken) {
    return Fault("PDU-060"_clause, 0, "len", "is not 32 and the padded name");
  }
  pdu->indom = Indom{in.U32(12)};
  in.Unused(16, 8);
  pdu->instance = in.I32(24);
  pdu->name = in.Text(kInstanceReqName, size);
  in.Rest(kInstanceReqName, size);
  return {};
}

Outcome Write(const InstanceReq& pdu, Writer& out) {
  return out.Begin(PduType::kInstanceReq, kInstanceReqName + Padded(pdu.name.size())).map([&] {
    out.U32(pdu.indom.value);
    out.I64(0);
    out.I32(pdu.instance);
    out.Count(pdu.name.size());
    out.PaddedText(pdu.name);
  });
}

// indom u32 @12, numinst i32 @16, numinst x { inst i32, namelen i32, name } @20
Outcome Read(Reader& in, Instance* pdu) {
  if (in.size() < kInstanceEntries) return Fault("PDU-063"_clause, 0, "len", "is below 20");
  const std::size_t count = in.U32(16);
  if (count > (in.size() - kInstanceEntries) / 8) {
    return Fault("PDU-063"_clause, 16, "numinst", "instances do not fit");
  }
  auto& instances = in.lists.instances;
  instances.clear();
  instances.reserve(count);
  std::size_t at = kInstanceEntries;
  for (std::size_t i = 0; i < count; ++i) {
    if (in.size() - at < 8) return Fault("PDU-063"_clause, at, "inst", "does not fit");
    const std::size_t size = in.U32(at + 4);
    if (Padded(size) > in.size() - at - 8) {
      return Fault("PDU-063"_clause, at + 4, "namelen", "name does not fit");
    }
    instances.push_back({in.I32(at), in.Text(at + 8, size)});
    in.Padding(at + 8, size);
    at += 8 + Padded(size);
  }
  if (in.size() > at && !in.strictness.bytes_behind_instance_taken) {
    return Fault("PDU-063"_clause, at, "name", "is followed by bytes");
  }
  in.Rest(at);
  pdu->indom = Indom{in.U32(12)};
  pdu->instances = instances;
  return {};
}

Outcome Write(const Instance& pdu, Writer& out) {
  std::size_t length = kInstanceEntries;
  for (const InstanceEntry& entry : pdu.instances) length += 8 + Padded(entry.name.size());
  return out.Begin(PduType::kInstance, length).map([&] {
    out.U32(pdu.indom.value);
    out.Count(pdu.instances.size());
    for (const InstanceEntry& entry : pdu.instances) {
      out.I32(entry.instance);
      out.Count(entry.name.size());
      out.PaddedText(entry.name);
    }
  });
}

// ident u32 @12, type i32 @16
Outcome Read(Reader& in, TextReq* pdu) {
  if (in.size() < kTextReqSize) return Fault("PMD-090"_clause, 0, "len", "is below 20");
  if (in.size() > kTextReqSize && !in.strictness.long_text_req_taken) {
    return Fault("PMD-090"_clause, 0, "len", "is above 20");
  }
  in.Rest(kTextReqSize);
  *pdu = {in.U32(12), in.U32(16)};
  return {};
}

Outcome Write(const TextReq& pdu, Writer& out) {
  return out.Begin(PduType::kTextReq, kTextReqSize).map([&] {
    out.U32(pdu.identifier);
    out.U32(pdu.type);
  });
}

// ident u32 @12, buflen i32 @16, text @20
Outcome Read(Reader& in, Text* pdu) {
  if (in.size() < kTextText) return Fault("PDU-067"_clause, 0, "len", "is below 20");
  const std::size_t size = in.U32(16);
  const std::size_t needed = in.strictness.unpadded_text_taken ? size : Padded(size);
  if (needed > in.size() - kTextText) {
    return Fault("PDU-067"_clause, 16, "buflen", "text does not fit");
  }
  pdu->identifier = in.U32(12);
  pdu->text = in.Text(kTextText, size);
  in.Rest(kTextText, size);
  return {};
}

Outcome Write(const Text& pdu, Writer& out) {
  return out.Begin(PduType::kText, kTextText + Padded(pdu.text.size())).map([&] {
    out.U32(pdu.identifier);
    out.Count(pdu.text.size());
    out.PaddedText(pdu.text);
  });
}

}  // namespace pmproof::pdu
