// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_DEPARTURE_H_
#define PMPROOF_REFERENCE_PMDA_PDU_DEPARTURE_H_

#include <cstdint>
#include <string_view>

#include "reference/core/clause.h"
#include "reference/pmda/pdu/pdu_type.h"

namespace pmproof::pdu {

// What a reader overlooks in a PDU that it takes: the bytes are not those that Encode would write.
// A PDU decoded without a departure is encoded to the same bytes again.
enum class Departure : std::uint32_t {
  kPadBytes = 0x1,        // padding that is not 0x7e (PDU-010)
  kMissingPadding = 0x2,  // a text that ends with the PDU, unpadded (PDU-060, 067, 069, 071)
  kTrailingBytes = 0x4,   // bytes after the last field
  kUnusedFields = 0x8,    // fields without meaning that are not 0 (PDU-057)
  kBlockOrder = 0x10,     // value blocks in another order than their values (PDU-106)
  kBlockOverlap = 0x20,   // value blocks that overlap, and gaps that make up for it (PDU-106)
  kEventRecords = 0x40,   // event records that leave their value block (PDU-174)
  kNameBytes = 0x80,      // nstrbytes or numstatus are more than the names need (PDU-069)
  kEmptyNames = 0x100,    // empty names that not every version takes without bytes behind (PDU-069)
  kLabelTexts = 0x200,    // JSON texts with gaps, in another order, or shared (PDU-074, PDU-075)
  kEmptyCreds = 0x400,    // CREDS without credentials (PDU-052)
  kShortProfile = 0x800,  // PROFILE without the last word of its header (PDU-054)
};

class Departures {
 public:
  void Add(Departure departure) { bits_ |= static_cast<std::uint32_t>(departure); }
  void Clear() { bits_ = 0; }
  bool Has(Departure departure) const {
    return (bits_ & static_cast<std::uint32_t>(departure)) != 0;
  }
  bool empty() const { return bits_ == 0; }

  // Calls visit(Departure) for each, in the order of the enumeration.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (std::uint32_t bit = 1; bit != 0 && bit <= bits_; bit <<= 1) {
      if ((bits_ & bit) != 0) visit(static_cast<Departure>(bit));
    }
  }

  friend bool operator==(const Departures&, const Departures&) = default;

 private:
  std::uint32_t bits_ = 0;
};

// The clause by which a reader overlooks it in a PDU of this type.
Clause ClauseOf(Departure departure, PduType type);

// "padding is not 0x7e".
std::string_view ToText(Departure departure);

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_DEPARTURE_H_
