// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/name_pdus.h"

#include <algorithm>

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kIdsPmids = 20;      // offset
constexpr std::size_t kNamesEntries = 24;  // offset
constexpr std::size_t kNodeName = 20;      // offset

// PMNS_CHILD and PMNS_TRAVERSE: subtype i32 @12, namelen i32 @16, name @20
Outcome ReadNode(Reader& in, std::int32_t* subtype, std::string_view* name) {
  if (in.size() < kNodeName) return Fault("PDU-071"_clause, 0, "len", "is below 20");
  const std::size_t size = in.U32(16);
  if (size > in.size() - kNodeName) {
    return Fault("PDU-071"_clause, 16, "namelen", "name does not fit");
  }
  *subtype = in.I32(12);
  *name = in.Text(kNodeName, size);
  in.Rest(kNodeName, size);
  return {};
}

Outcome WriteNode(PduType type, std::int32_t subtype, std::string_view name, Writer& out) {
  return out.Begin(type, kNodeName + Padded(name.size())).map([&] {
    out.I32(subtype);
    out.Count(name.size());
    out.PaddedText(name);
  });
}

// Readers count with names of one word at least, so that an empty one is taken only beside long
// ones (PDU-069).
bool TooMany(std::size_t names, std::size_t length, std::size_t head) {
  return names > (length - kNamesEntries) / (head + 4);
}

}  // namespace

Outcome Read(Reader& in, PmnsChild* pdu) { return ReadNode(in, &pdu->subtype, &pdu->name); }
Outcome Read(Reader& in, PmnsTraverse* pdu) { return ReadNode(in, &pdu->subtype, &pdu->name); }
Outcome Write(const PmnsChild& pdu, Writer& out) {
  return WriteNode(PduType::kPmnsChild, pdu.subtype, pdu.name, out);
}
Outcome Write(const PmnsTraverse& pdu, Writer& out) {
  return WriteNode(PduType::kPmnsTraverse, pdu.subtype, pdu.name, out);
}

// status i32 @12, n i32 @16, n x pmid u32 @20
Outcome Read(Reader& in, PmnsIds* pdu) {
  if (in.size() < kIdsPmids + 4) return Fault("PDU-070"_clause, 0, "len", "is below 24");
  const std::size_t count = in.U32(16);
  if (count == 0 || count > (in.size() - kIdsPmids) / 4) {
    return Fault("PDU-070"_clause, 16, "n", "does not agree with len, 20 + 4 * n");
  }
  const std::size_t end = kIdsPmids + 4 * count;
  if (in.size() > end && !in.strictness.long_pmns_ids_taken) {
    return Fault("PDU-070"_clause, end, "pmid", "is followed by bytes");
  }
  in.Rest(end);
  auto& pmids = in.lists.pmids;
  pmids.resize(count);
  for (std::size_t i = 0; i < count; ++i) pmids[i] = Pmid{in.U32(kIdsPmids + 4 * i)};
  pdu->status = in.I32(12);
  pdu->pmids = pmids;
  return {};
}

Outcome Write(const PmnsIds& pdu, Writer& out) {
  if (pdu.pmids.empty()) return Fault("PDU-070"_clause, 16, "n", "is 0");
  return out.Begin(PduType::kPmnsIds, kIdsPmids + 4 * pdu.pmids.size()).map([&] {
    out.I32(pdu.status);
    out.Count(pdu.pmids.size());
    for (const Pmid pmid : pdu.pmids) out.U32(pmid.value);
  });
}

// nstrbytes i32 @12, numstatus i32 @16, numnames i32 @20,
// numnames x { status i32 if numstatus > 0, namelen i32, name } @24
Outcome Read(Reader& in, PmnsNames* pdu) {
  if (in.size() < kNamesEntries) return Fault("PDU-069"_clause, 0, "len", "is below 24");
  const std::int32_t count = in.I32(20);
  if (count < 0) {
    return Fault(
        "PDU-069"_clause, 20, "numnames", "is negative",
        in.strictness.negative_count_is_the_error ? static_cast<ErrorCode>(count) : kErrIpc);
  }
  const std::size_t bytes = in.U32(12);
  if (count == 0) {  // whatever the other counts say
    if (bytes != 0 || in.I32(16) != 0) in.Overlook(Departure::kNameBytes);
    in.Rest(kNamesEntries);
    *pdu = {};
    return {};
  }
  if (bytes > in.size()) return Fault("PDU-069"_clause, 12, "nstrbytes", "is not 0 to len");
  const std::int32_t status_count = in.I32(16);
  if (status_count != 0 && status_count != count) {
    return Fault("PDU-069"_clause, 16, "numstatus", "is neither 0 nor numnames");
  }
  const bool has_status = status_count > 0;
  const std::size_t head = has_status ? 8 : 4;
  const auto number = static_cast<std::size_t>(count);
  const bool by_place = in.strictness.names_are_counted_by_place;
  const bool too_many = TooMany(number, in.size(), head);
  const auto do_not_fit = [] {
    return Fault("PDU-069"_clause, 20, "numnames", "names do not fit");
  };
  if (too_many && !by_place) return do_not_fit();
  auto& names = in.lists.names;
  names.clear();
  names.reserve(std::min(number, in.size() / head));
  std::size_t at = kNamesEntries;
  std::size_t needed = 0;
  for (std::size_t i = 0; i < number; ++i) {
    const std::size_t room = in.size() - std::min(at, in.size());
    if (room < (by_place ? head + 4 : head)) {
      if (too_many) return do_not_fit();
      return Fault("PDU-069"_clause, std::min(at, in.size()), has_status ? "status" : "namelen",
                   "does not fit");
    }
    const std::size_t size = in.U32(at + head - 4);
    if (size > in.size() - at - head) {
      return Fault("PDU-069"_clause, at + head - 4, "namelen", "name does not fit");
    }
    needed += size + 1;
    names.push_back({in.Text(at + head, size), has_status ? in.I32(at) : kLeaf});
    in.Padding(at + head, size);
    at += head + Padded(size);
  }
  if (needed > bytes) return Fault("PDU-069"_clause, 12, "nstrbytes", "is less than the names");
  if (needed < bytes) in.Overlook(Departure::kNameBytes);
  if (at > in.size()) in.Overlook(Departure::kMissingPadding);
  const bool empty_last = number > 0 && names.back().name.empty();  // 6.0.3 wants bytes behind it
  if (empty_last || TooMany(number, at, head)) in.Overlook(Departure::kEmptyNames);
  in.Rest(at);
  pdu->has_status = has_status;
  pdu->names = names;
  return {};
}

Outcome Write(const PmnsNames& pdu, Writer& out) {
  if (pdu.has_status && pdu.names.empty()) {
    return Fault("PDU-069"_clause, 16, "numstatus", "there are no names");
  }
  const std::size_t head = pdu.has_status ? 8 : 4;
  std::size_t length = kNamesEntries;
  std::size_t bytes = 0;
  for (const PmnsName& name : pdu.names) {
    if (!pdu.has_status && name.status != kLeaf) {
      return Fault("PDU-069"_clause, 16, "numstatus", "a name has a status in a list without");
    }
    length += head + Padded(name.name.size());
    bytes += name.name.size() + 1;
  }
  if (TooMany(pdu.names.size(), length, head)) {
    return Fault("PDU-069"_clause, 20, "numnames", "too many names are empty");
  }
  return out.Begin(PduType::kPmnsNames, length).map([&] {
    out.Count(bytes);
    out.Count(pdu.has_status ? pdu.names.size() : 0);
    out.Count(pdu.names.size());
    for (const PmnsName& name : pdu.names) {
      if (pdu.has_status) out.I32(name.status);
      out.Count(name.name.size());
      out.PaddedText(name.name);
    }
  });
}

}  // namespace pmproof::pdu
