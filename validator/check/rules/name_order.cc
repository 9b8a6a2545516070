// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/name_order.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace pmproof::validator {
namespace {

// Nine bits hold a byte, the dot, or the end of the name: seven of them make a key.
constexpr std::size_t kSymbols = 7;
constexpr int kSymbolBits = 9;
constexpr std::uint64_t kEnd = 0;
constexpr std::uint64_t kDot = 1;

std::uint64_t SymbolAt(std::string_view text, std::size_t at) {
  if (at >= text.size()) return kEnd;
  return text[at] == '.' ? kDot : static_cast<unsigned char>(text[at]) + kDot + 1;
}

std::uint64_t KeyAt(std::string_view text, std::size_t at) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < kSymbols; ++i) key = key << kSymbolBits | SymbolAt(text, at + i);
  return key;
}

bool HoldsTheEnd(std::uint64_t key) { return (key & ((1U << kSymbolBits) - 1)) == kEnd; }

// Names that are alike up to `depth`.
struct Alike {
  std::size_t begin;
  std::size_t end;
  std::size_t depth;
};

}  // namespace

void SortNames(std::vector<PlacedName>* names) {
  const auto place = [&](std::size_t i) { return names->begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<Alike> left{{0, names->size(), 0}};
  while (!left.empty()) {
    const Alike range = left.back();
    left.pop_back();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      PlacedName& name = (*names)[i];
      name.key = KeyAt(name.text, range.depth);
    }
    std::sort(place(range.begin), place(range.end), [](const PlacedName& a, const PlacedName& b) {
      return std::tie(a.key, a.desc, a.offset) < std::tie(b.key, b.desc, b.offset);
    });
    for (std::size_t begin = range.begin; begin < range.end;) {
      const std::uint64_t key = (*names)[begin].key;
      std::size_t end = begin + 1;
      while (end < range.end && (*names)[end].key == key) ++end;
      if (end - begin > 1 && !HoldsTheEnd(key))
        left.push_back({begin, end, range.depth + kSymbols});
      begin = end;
    }
  }
}

}  // namespace pmproof::validator
