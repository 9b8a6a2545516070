// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_BYTES_H_
#define PMPROOF_REFERENCE_CORE_BYTES_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace pmproof {

// A view of bytes that somebody else owns.
using Bytes = std::span<const std::uint8_t>;

// Integers of archives and protocol units are big-endian on every host (ARC-001). These do not
// check bounds: the caller has compared the position with the bytes that remain.
inline std::uint16_t LoadU16(const std::uint8_t* p) {
  return static_cast<std::uint16_t>(p[0] << 8 | p[1]);
}

inline std::uint32_t LoadU32(const std::uint8_t* p) {
  std::uint32_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap32(word);
  return word;
}

inline std::uint64_t LoadU64(const std::uint8_t* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  return word;
}

inline std::int32_t LoadI32(const std::uint8_t* p) { return static_cast<std::int32_t>(LoadU32(p)); }
inline std::int64_t LoadI64(const std::uint8_t* p) { return static_cast<std::int64_t>(LoadU64(p)); }

inline void StoreU16(std::uint8_t* p, std::uint16_t value) {
  p[0] = static_cast<std::uint8_t>(value >> 8);
  p[1] = static_cast<std::uint8_t>(value);
}

inline void StoreU32(std::uint8_t* p, std::uint32_t value) {
  if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap32(value);
  std::memcpy(p, &value, sizeof value);
}

inline void StoreU64(std::uint8_t* p, std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap64(value);
  std::memcpy(p, &value, sizeof value);
}

inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The text up to the first NUL, at most all of it.
inline std::string_view UpToNul(std::string_view text) { return text.substr(0, text.find('\0')); }

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_BYTES_H_
