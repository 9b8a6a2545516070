// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_CODING_H_
#define PMPROOF_REFERENCE_PMDA_PDU_CODING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/departure.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/pdu.h"
#include "reference/pmda/pdu/pdu_error.h"
#include "reference/pmda/pdu/strictness.h"

// What the layouts of section 4 are read and written with. Internal: each family of PDUs has its
// Read and Write next to each other in one file.

namespace pmproof::pdu {

using Outcome = tl::expected<void, PduError>;

// Bytes of a text with its padding (section 3), or of a block.
inline constexpr std::size_t Padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// The lists of the PDU decoded last. A list that another one refers to is sized before it is
// filled.
struct DecodedLists {
  struct Extent {
    std::size_t begin;
    std::size_t end;
  };

  std::vector<Credential> credentials;
  std::vector<std::int32_t> numbers;
  std::vector<ProfileEntry> profile_entries;
  std::vector<Pmid> pmids;
  std::vector<Descriptor> descriptors;
  std::vector<InstanceEntry> instances;
  std::vector<PmnsName> names;
  std::vector<LabelEntry> labels;
  std::vector<LabelSet> label_sets;
  std::vector<InstanceValue> values;
  std::vector<ValueSet> value_sets;
  std::vector<Extent> blocks;
};

// One PDU whose header was judged. The Load functions do not check bounds.
class Reader {
 public:
  Reader(Bytes pdu, const Strictness& version, Departures* departures, DecodedLists* owned)
      : strictness(version), lists(*owned), pdu_(pdu), departures_(departures) {}

  const Strictness& strictness;
  DecodedLists& lists;

  std::size_t size() const { return pdu_.size(); }
  const std::uint8_t* At(std::size_t offset) const { return pdu_.data() + offset; }
  std::uint32_t U32(std::size_t offset) const { return LoadU32(At(offset)); }
  std::int32_t I32(std::size_t offset) const { return LoadI32(At(offset)); }
  std::int64_t I64(std::size_t offset) const { return LoadI64(At(offset)); }
  std::string_view Text(std::size_t offset, std::size_t size) const {
    return AsText(pdu_.subspan(offset, size));
  }
  Bytes Part(std::size_t offset, std::size_t size) const { return pdu_.subspan(offset, size); }

  void Overlook(Departure departure) { departures_->Add(departure); }
  // A field without meaning (PDU-057).
  void Unused(std::size_t offset, std::size_t size);
  // The bytes after a text or block of `size` bytes up to the next word, as many as there are
  // (PDU-010).
  void Padding(std::size_t offset, std::size_t size);
  // What follows the last text of a PDU: its padding, or a part of it, and bytes that nobody asked
  // for. The caller has refused what its version refuses.
  void Rest(std::size_t offset, std::size_t size);
  // What follows the last field.
  void Rest(std::size_t end);

 private:
  Bytes pdu_;
  Departures* departures_;
};

inline tl::unexpected<PduError> Fault(Clause clause, std::size_t offset, std::string_view field,
                                      std::string_view message, ErrorCode code = kErrIpc) {
  return tl::make_unexpected(PduError{code, clause, offset, field, message});
}

// Appends one PDU to a buffer: Begin with its whole length, then exactly that many bytes.
class Writer {
 public:
  Writer(std::int32_t from, Buffer* out) : from_(from), out_(out) {}

  Outcome Begin(PduType type, std::size_t length);
  void U16(std::uint16_t value) {
    StoreU16(at_, value);
    at_ += 2;
  }
  void U8(std::uint8_t value) { *at_++ = value; }
  void U32(std::uint32_t value) {
    StoreU32(at_, value);
    at_ += 4;
  }
  void I32(std::int32_t value) { U32(static_cast<std::uint32_t>(value)); }
  void Count(std::size_t value) { U32(static_cast<std::uint32_t>(value)); }
  void I64(std::int64_t value) {
    StoreU64(at_, static_cast<std::uint64_t>(value));
    at_ += 8;
  }
  void Raw(Bytes bytes);
  void Raw(std::string_view text) { Raw(AsBytes(text)); }
  // With its padding (PDU-010).
  void PaddedBytes(Bytes bytes);
  void PaddedText(std::string_view text) { PaddedBytes(AsBytes(text)); }

 private:
  std::int32_t from_;
  Buffer* out_;
  std::uint8_t* at_ = nullptr;
};

inline constexpr std::uint8_t kPadByte = 0x7e;

// For each PDU: the layout, read and written.
#define PMPROOF_PDU_CODING(Type)       \
  Outcome Read(Reader& in, Type* pdu); \
  Outcome Write(const Type& pdu, Writer& out)

PMPROOF_PDU_CODING(Error);
PMPROOF_PDU_CODING(Creds);
PMPROOF_PDU_CODING(Attr);
PMPROOF_PDU_CODING(Profile);
PMPROOF_PDU_CODING(Fetch);
PMPROOF_PDU_CODING(HighresFetch);
PMPROOF_PDU_CODING(DescReq);
PMPROOF_PDU_CODING(Desc);
PMPROOF_PDU_CODING(DescIds);
PMPROOF_PDU_CODING(Descs);
PMPROOF_PDU_CODING(InstanceReq);
PMPROOF_PDU_CODING(Instance);
PMPROOF_PDU_CODING(TextReq);
PMPROOF_PDU_CODING(Text);
PMPROOF_PDU_CODING(PmnsIds);
PMPROOF_PDU_CODING(PmnsNames);
PMPROOF_PDU_CODING(PmnsChild);
PMPROOF_PDU_CODING(PmnsTraverse);
PMPROOF_PDU_CODING(LabelReq);
PMPROOF_PDU_CODING(Label);
PMPROOF_PDU_CODING(Result);
PMPROOF_PDU_CODING(HighresResult);

#undef PMPROOF_PDU_CODING

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_CODING_H_
