// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/block_order.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "reference/core/bytes.h"

namespace pmproof::dso {
namespace {

constexpr std::uint32_t kMissed = 0x80000000;  // PDU-171

// Turns fields round one after another, and knows the numbers among them on either side.
class Turner {
 public:
  Turner(std::span<std::uint8_t> body, bool to_wire) : rest_(body), to_wire_(to_wire) {}

  std::size_t size() const { return rest_.size(); }

  void Number(std::size_t size) {
    if constexpr (std::endian::native == std::endian::little) {
      std::reverse(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size));
    }
    rest_ = rest_.subspan(size);
  }
  std::uint32_t Word() {
    const std::uint32_t word = Peek(0);
    Number(4);
    return word;
  }
  // The value of the word at an offset that was not turned yet.
  std::uint32_t Peek(std::size_t offset) const {
    std::uint32_t word = 0;
    std::memcpy(&word, rest_.data() + offset, sizeof word);
    return to_wire_ ? word : LoadU32(rest_.data() + offset);
  }
  // The word at an offset that was not turned yet becomes 0, which is so in either order.
  void Clear(std::size_t offset) { std::memset(rest_.data() + offset, 0, 4); }
  void Skip(std::size_t size) { rest_ = rest_.subspan(size); }

 private:
  std::span<std::uint8_t> rest_;
  bool to_wire_;
};

// pmid, type and length, value, padding
bool TurnParameter(Turner& turner) {
  if (turner.size() < 8) return false;
  turner.Word();
  const std::uint32_t header = turner.Word();
  const std::size_t length = header & 0xffffff;
  if (length < 4 || length - 4 > turner.size()) return false;
  const std::size_t number = NumericSize(static_cast<MetricType>(header >> 24));
  if (number != 0 && number != length - 4) return false;
  if (number != 0) {
    turner.Number(number);
  } else {
    turner.Skip(std::min((length - 4 + 3) / 4 * 4, turner.size()));
  }
  return true;
}

bool TurnEvents(Turner& turner, bool highres, bool to_wire) {
  if (turner.size() < 4) return false;
  const std::size_t time = highres ? 8 : 4;
  const std::uint32_t records = turner.Word();
  for (std::uint32_t i = 0; i < records; ++i) {
    if (turner.size() < 2 * time + 8) return false;
    turner.Number(time);
    turner.Number(time);
    const bool missed = (turner.Word() & kMissed) != 0;
    // The encoder of agents loses how many records were missed (PDU-172).
    if (missed && highres && to_wire) turner.Clear(0);
    const std::uint32_t parameters = turner.Word();
    for (std::uint32_t k = 0; !missed && k < parameters; ++k) {
      if (!TurnParameter(turner)) return false;
    }
  }
  return true;
}

bool Turn(MetricType type, std::span<std::uint8_t> body, bool to_wire) {
  Turner turner(body, to_wire);
  if (IsEvent(type)) return TurnEvents(turner, type == MetricType::kHighresEvent, to_wire);
  const std::size_t number = NumericSize(type);
  if (number == 0) return true;
  if (number != body.size()) return false;
  turner.Number(number);
  return true;
}

}  // namespace

bool ToWireOrder(MetricType type, std::span<std::uint8_t> body) { return Turn(type, body, true); }
bool ToHostOrder(MetricType type, std::span<std::uint8_t> body) { return Turn(type, body, false); }

}  // namespace pmproof::dso
