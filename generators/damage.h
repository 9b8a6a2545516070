// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DAMAGE_H_
#define PMPROOF_GENERATORS_DAMAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "generators/random.h"
#include "reference/archive/encode.h"

// Damage by chance, as disks, cables and crashes do it: bytes are changed, lost or repeated, and
// nobody says which rules are broken by it, if any.

namespace pmproof::generators {

enum class DamageKind : std::uint8_t {
  kFlipBit,
  kOverwrite,        // 1 to 8 bytes
  kInsert,           // 1 to 16 bytes
  kRemove,           // 1 to 16 bytes
  kTruncate,         // at any place
  kDuplicateRecord,  // of .meta or a volume: it follows itself
  kSwapRecords,      // two of one file
};
inline constexpr DamageKind kDamageKinds[] = {DamageKind::kFlipBit,    DamageKind::kOverwrite,
                                              DamageKind::kInsert,     DamageKind::kRemove,
                                              DamageKind::kTruncate,   DamageKind::kDuplicateRecord,
                                              DamageKind::kSwapRecords};

// What was done, and where.
struct Damage {
  DamageKind kind = DamageKind::kFlipBit;
  std::string file;
  std::size_t offset = 0;
  std::size_t length = 0;  // bytes; of kFlipBit the number of the bit, 0 to 7
  std::size_t other = 0;   // kSwapRecords: the offset of the other record
};

// "base.0: bit 3 of the byte at offset 812 is inverted"
std::string ToText(const Damage& damage);

using FilesByName = std::map<std::string, archive::Buffer>;

// Damages one of the files; nothing where none of them has what is needed: a byte, a record with
// sound length words, two of them. Each byte (or record) of all files is as likely as another.
std::optional<Damage> DamageFiles(FilesByName& files, DamageKind kind, Random& random);

// Of any kind that is possible; nothing if all files are empty.
std::optional<Damage> DamageFiles(FilesByName& files, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DAMAGE_H_
