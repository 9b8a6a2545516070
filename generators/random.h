// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_RANDOM_H_
#define PMPROOF_GENERATORS_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace pmproof::generators {

// Pseudo-random numbers that are the same on every machine, compiler and library: what <random>
// draws from a distribution is not. A value (copies go on alike): xoshiro256**, whose state is
// filled from the seed by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15;
      word = Mix(seed);
    }
  }

  // A stream of its own for each purpose: what one of them draws does not move the others.
  Random Fork(std::uint64_t purpose) const { return Random(state_[0] ^ Mix(purpose + 1)); }

  std::uint64_t Next() {
    const std::uint64_t result = Rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  // 0 <= result < bound, each equally likely; 0 if `bound` is 0.
  std::uint64_t Below(std::uint64_t bound) {
    if (bound < 2) return 0;
    const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound
    std::uint64_t draw = Next();
    while (draw < unfair) draw = Next();
    return draw % bound;
  }

  // first <= result <= last.
  std::int64_t Between(std::int64_t first, std::int64_t last) {
    const std::uint64_t width =
        static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
    const std::uint64_t draw = width == 0 ? Next() : Below(width);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + draw);
  }

  // True `times` times out of `of`.
  bool Chance(std::uint64_t times, std::uint64_t of) { return Below(of) < times; }

  // One element of what is not empty.
  template <typename Container>
  auto& Pick(Container& container) {
    return container[static_cast<std::size_t>(Below(std::size(container)))];
  }

 private:
  static constexpr std::uint64_t Rotate(std::uint64_t x, int by) {
    return x << by | x >> (64 - by);
  }
  static constexpr std::uint64_t Mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_[4] = {};
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_RANDOM_H_
