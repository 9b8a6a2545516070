// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_SORT_WORDS_H_
#define PMPROOF_REFERENCE_CORE_SORT_WORDS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pmproof {

// Sorts words by their upper halves; those with equal ones keep their order, so that a position in
// the lower half makes it std::sort. Where there are many of them the time is linear: instance
// identifiers are sorted for each record of a domain.
inline void SortByUpperHalf(std::span<std::uint64_t> words) {
  const auto less = [](std::uint64_t a, std::uint64_t b) { return a >> 32 < b >> 32; };
  if (std::is_sorted(words.begin(), words.end(), less)) return;
  // With fewer a sort that compares is as fast.
  constexpr std::size_t kFew = 64;
  if (words.size() < kFew) return std::stable_sort(words.begin(), words.end(), less);

  constexpr std::size_t kDigits = 256;
  std::uint64_t differing = 0;
  for (const std::uint64_t word : words) differing |= word ^ words[0];
  std::vector<std::uint64_t> other(words.size());
  std::span<std::uint64_t> from = words;
  std::span<std::uint64_t> to = other;
  for (unsigned shift = 32; shift < 64; shift += 8) {
    if ((differing >> shift) % kDigits == 0) continue;
    std::array<std::size_t, kDigits> next{};  // where the next word with that digit goes
    for (const std::uint64_t word : from) ++next[(word >> shift) % kDigits];
    std::size_t before = 0;
    for (std::size_t& place : next) before += std::exchange(place, before);
    for (const std::uint64_t word : from) to[next[(word >> shift) % kDigits]++] = word;
    std::swap(from, to);
  }
  if (from.data() != words.data()) std::copy(from.begin(), from.end(), words.begin());
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_SORT_WORDS_H_
