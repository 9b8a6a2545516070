// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_LABEL_PDUS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_LABEL_PDUS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/pmda/pdu/list.h"

// PDUs of labels: 4.12.

namespace pmproof::pdu {

// `type` is a LabelClass; flags may be or-ed to it (PMD-091).
struct LabelReq {
  std::uint32_t identifier = 0;
  std::uint32_t type = 0;

  friend bool operator==(const LabelReq&, const LabelReq&) = default;
};

inline constexpr std::size_t kMaxLabels = 254;         // of a set (PDU-074)
inline constexpr std::size_t kMaxLabelJson = 65534;    // bytes
inline constexpr std::size_t kMaxLabelNameSize = 254;  // bytes

// The place of a label in the JSON text of its set; the value with the quotes of a string.
struct LabelEntry {
  std::uint16_t name_offset = 0;
  std::uint8_t name_length = 0;
  std::uint8_t flags = 0;  // class, kLabelFlagCompound, kLabelFlagOptional (PDU-076)
  std::uint16_t value_offset = 0;
  std::uint16_t value_length = 0;

  friend bool operator==(const LabelEntry&, const LabelEntry&) = default;
};

struct LabelSet {
  std::int32_t instance = kInstanceNull;  // other than that only in type 32
  ErrorCode status = ErrorCode::kOk;      // negative: stands in the place of nlabels, no labels
  std::string_view json{};
  List<LabelEntry> labels{};

  // Of a label of this set; empty where its bytes are not inside the text, as 6.0.3 overlooks.
  std::string_view Name(const LabelEntry& label) const {
    return Part(label.name_offset, label.name_length);
  }
  std::string_view Value(const LabelEntry& label) const {
    return Part(label.value_offset, label.value_length);
  }

  friend bool operator==(const LabelSet&, const LabelSet&) = default;

 private:
  std::string_view Part(std::size_t offset, std::size_t length) const {
    return offset + length <= json.size() ? json.substr(offset, length) : std::string_view();
  }
};

struct Label {
  std::uint32_t identifier = 0;  // of the request, as is its type
  std::uint32_t type = 0;
  List<LabelSet> sets{};  // more than one only in type 32 (PDU-078)

  friend bool operator==(const Label&, const Label&) = default;
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_LABEL_PDUS_H_
