// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/session_pdus.h"

#include <algorithm>
#include <limits>

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

// The code of an extended ERROR is translated to an old numbering (PDU-051).
constexpr std::int32_t kFirstCode = -12345;
constexpr std::int32_t kFirstOldCode = -1000;
constexpr std::int32_t kOldCodes = kFirstOldCode - kFirstCode;

constexpr std::size_t kErrorSize = 16;
constexpr std::size_t kExtendedErrorSize = 20;
constexpr std::size_t kCreds = 16;           // offset of the credentials
constexpr std::size_t kMaxCreds = 1024;      // PDU-052
constexpr std::size_t kAttrValue = 16;       // offset
constexpr std::size_t kMaxAttr = 4095;       // PDU-072
constexpr std::size_t kProfileEntries = 28;  // offset
constexpr std::size_t kProfileEntry = 16;

}  // namespace

// code i32 @12, in the extended form datum u32 @16
Outcome Read(Reader& in, Error* pdu) {
  if (in.size() != kErrorSize && in.size() != kExtendedErrorSize) {
    return Fault("PDU-050"_clause, 0, "len", "is neither 16 nor 20");
  }
  std::int32_t code = in.I32(12);
  if (in.size() == kExtendedErrorSize) {
    pdu->datum = in.U32(16);
    if (code < std::numeric_limits<std::int32_t>::min() + kOldCodes) {
      return Fault("PDU-051"_clause, 12, "code", "is not a code of the old numbering");
    }
    if (code <= kFirstOldCode) code -= kOldCodes;
  }
  pdu->code = static_cast<ErrorCode>(code);
  return {};
}

Outcome Write(const Error& pdu, Writer& out) {
  std::int32_t code = static_cast<std::int32_t>(pdu.code);
  if (pdu.datum) {
    if (code <= kFirstCode) {
      code += kOldCodes;
    } else if (code <= kFirstOldCode) {
      return Fault("PDU-051"_clause, 12, "code", "is neither PCP's nor a negated errno");
    }
  }
  return out.Begin(PduType::kError, pdu.datum ? kExtendedErrorSize : kErrorSize).map([&] {
    out.I32(code);
    if (pdu.datum) out.U32(*pdu.datum);
  });
}

// ncreds i32 @12, ncreds x { type u8, 3 bytes } @16
Outcome Read(Reader& in, Creds* pdu) {
  if (in.size() < kCreds) return Fault("PDU-052"_clause, 0, "len", "is below 16");
  const std::uint32_t count = in.U32(12);
  if (count > kMaxCreds) return Fault("PDU-052"_clause, 12, "ncreds", "is not 1 to 1024");
  if (count == 0) {
    if (!in.strictness.empty_creds_taken) {
      return Fault("PDU-052"_clause, 12, "ncreds", "is not 1 to 1024");
    }
    in.Overlook(Departure::kEmptyCreds);
  }
  if (in.size() != kCreds + 4 * count) {
    return Fault("PDU-052"_clause, 12, "ncreds", "does not agree with len, 16 + 4 * ncreds");
  }
  auto& credentials = in.lists.credentials;
  credentials.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* p = in.At(kCreds + 4 * i);
    credentials[i] = {p[0], {p[1], p[2], p[3]}};
  }
  pdu->credentials = credentials;
  return {};
}

Outcome Write(const Creds& pdu, Writer& out) {
  if (pdu.credentials.empty() || pdu.credentials.size() > kMaxCreds) {
    return Fault("PDU-052"_clause, 12, "ncreds", "is not 1 to 1024");
  }
  return out.Begin(PduType::kCreds, kCreds + 4 * pdu.credentials.size()).map([&] {
    out.Count(pdu.credentials.size());
    for (const Credential& credential : pdu.credentials) {
      out.U8(credential.type);
      out.Raw(credential.bytes);
    }
  });
}

// attr i32 @12, value @16, not padded
Outcome Read(Reader& in, Attr* pdu) {
  if (in.size() < kAttrValue) return Fault("PDU-072"_clause, 0, "len", "is below 16");
  if (in.size() > kAttrValue + kMaxAttr) {
    return Fault("PDU-072"_clause, 0, "len", "leaves more than 4095 bytes for the value");
  }
  pdu->attribute = static_cast<Attribute>(in.I32(12));
  pdu->value = in.Text(kAttrValue, in.size() - kAttrValue);
  return {};
}

Outcome Write(const Attr& pdu, Writer& out) {
  if (pdu.value.size() > kMaxAttr) {
    return Fault("PDU-072"_clause, kAttrValue, "value", "is above 4095 bytes");
  }
  return out.Begin(PduType::kAttr, kAttrValue + pdu.value.size()).map([&] {
    out.I32(static_cast<std::int32_t>(pdu.attribute));
    out.Raw(pdu.value);
  });
}

// ctxid i32 @12, state i32 @16, nprof i32 @20, pad @24;
// nprof x { indom u32, state i32, ninst i32, pad } @28; then all instances, entry by entry
Outcome Read(Reader& in, Profile* pdu) {
  if (in.size() < kProfileEntries - 4) {
    return Fault("PDU-054"_clause, 0, "len", "is below 24");
  }
  pdu->context = in.I32(12);
  pdu->state = in.I32(16);
  const std::int32_t signed_count = in.I32(20);
  if (pdu->context < 0) return Fault("PDU-054"_clause, 12, "ctxid", "is negative");
  if (signed_count < 0) return Fault("PDU-054"_clause, 20, "nprof", "is negative");
  const auto count = static_cast<std::size_t>(signed_count);
  if (in.size() < kProfileEntries) {
    if (count > 0 || !in.strictness.short_empty_profile_taken) {
      return Fault("PDU-054"_clause, 0, "len", "is below 28");
    }
    in.Overlook(Departure::kShortProfile);
    return {};
  }
  in.Unused(24, 4);
  if (count > (in.size() - kProfileEntries) / kProfileEntry) {
    return Fault("PDU-054"_clause, 20, "nprof", "entries do not fit");
  }
  const std::size_t instances_at = kProfileEntries + kProfileEntry * count;
  const std::size_t instances_fit = (in.size() - instances_at) / 4;
  std::size_t instance_count = 0;
  for (std::size_t at = kProfileEntries; at < instances_at; at += kProfileEntry) {
    const std::int32_t ninst = in.I32(at + 8);
    if (ninst < 0) return Fault("PDU-054"_clause, at + 8, "ninst", "is negative");
    instance_count += static_cast<std::size_t>(ninst);
    if (instance_count > instances_fit) {
      return Fault("PDU-054"_clause, at + 8, "ninst", "instances do not fit");
    }
  }
  const std::size_t end = instances_at + 4 * instance_count;
  if (in.size() > end && count > 0 && !in.strictness.bytes_behind_profile_taken) {
    return Fault("PDU-054"_clause, end, "instances", "are followed by bytes");
  }
  in.Rest(end);

  auto& numbers = in.lists.numbers;
  auto& entries = in.lists.profile_entries;
  numbers.resize(instance_count);
  entries.resize(count);
  for (std::size_t i = 0; i < instance_count; ++i) numbers[i] = in.I32(instances_at + 4 * i);
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kProfileEntries + kProfileEntry * i;
    const auto ninst = static_cast<std::size_t>(in.I32(at + 8));
    entries[i] = {Indom{in.U32(at)}, in.I32(at + 4), std::span(numbers).subspan(first, ninst)};
    in.Unused(at + 12, 4);
    first += ninst;
  }
  pdu->entries = entries;
  return {};
}

Outcome Write(const Profile& pdu, Writer& out) {
  if (pdu.context < 0) return Fault("PDU-054"_clause, 12, "ctxid", "is negative");
  std::size_t length = kProfileEntries + kProfileEntry * pdu.entries.size();
  for (const ProfileEntry& entry : pdu.entries) length += 4 * entry.instances.size();
  return out.Begin(PduType::kProfile, length).map([&] {
    out.I32(pdu.context);
    out.I32(pdu.state);
    out.Count(pdu.entries.size());
    out.U32(0);
    for (const ProfileEntry& entry : pdu.entries) {
      out.U32(entry.indom.value);
      out.I32(entry.state);
      out.Count(entry.instances.size());
      out.U32(0);
    }
    for (const ProfileEntry& entry : pdu.entries) {
      for (const std::int32_t instance : entry.instances) out.I32(instance);
    }
  });
}

bool Profile::Includes(Indom indom, std::int32_t instance) const {
  const auto entry = std::ranges::find(entries, indom, &ProfileEntry::indom);
  if (entry == entries.end()) return state == kInclude;
  const bool listed = std::ranges::find(entry->instances, instance) != entry->instances.end();
  return listed == (entry->state != kInclude);
}

}  // namespace pmproof::pdu
