// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/pattern.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pmproof::derived {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr std::size_t kMaxDepth = 200;
constexpr std::uint64_t kMaxNodes = 32768;
constexpr std::uint64_t kMaxIdle = 512;  // a twentieth of a second: a?++++++++
constexpr std::uint64_t kIdlePerNode = 8192;
// Where there are edges and loops that need no character, for the time multiplies with each of
// these: ^a?++++ has 31 forks and takes 3 ms; one + more, 6 seconds. Of 100,000 random patterns
// that this lets pass the slowest took 8 ms; with twice the numbers some took more than 3 seconds.
constexpr std::uint64_t kMaxEdges = 8;
constexpr std::uint64_t kMaxForks = 24;
constexpr std::uint64_t kMaxIdleForks = 8;
constexpr std::uint64_t kMaxIdleEdges = 4;
// Nodes times characters of a name; some 0.2 microseconds and 15 bytes each at worst.
constexpr std::uint64_t kMaxWork = 1 << 20;
constexpr std::uint64_t kMaxName = 4096;

struct Cost {
  std::uint64_t nodes = 0;       // of the compiled pattern
  std::uint64_t references = 0;  // of these: to a group ("\1")
  std::uint64_t idle = 0;        // of these: in a loop that can go round without a character
  std::uint64_t edges = 0;       // of these: of the text or of a word
  std::uint64_t forks = 0;       // of these: where there is more than one way on
  std::uint64_t idle_forks = 0;  // forks and
  std::uint64_t idle_edges = 0;  // edges in loops that can go round without a character
  bool empty = true;             // whether nothing matches it
};

// Of one after the other.
Cost Sum(const Cost& a, const Cost& b) {
  const auto sum = [](std::uint64_t x, std::uint64_t y) { return std::min(x + y, 2 * kMaxNodes); };
  return {.nodes = sum(a.nodes, b.nodes),
          .references = sum(a.references, b.references),
          .idle = sum(a.idle, b.idle),
          .edges = sum(a.edges, b.edges),
          .forks = sum(a.forks, b.forks),
          .idle_forks = sum(a.idle_forks, b.idle_forks),
          .idle_edges = sum(a.idle_edges, b.idle_edges),
          .empty = a.empty && b.empty};
}

// What the compiled pattern costs: the library copies what is repeated, so that repetitions inside
// repetitions multiply. It also follows all ways through a loop that need no character, such as
// (a?){4000}+, in a time that grows with the cube of the nodes there. Where the pattern has an
// edge, it copies what can be reached from there without a character, for each way.
class CostCounter {
 public:
  explicit CostCounter(std::string_view text) : text_(text) {}

  // Nothing if that is too much.
  std::optional<Cost> Count() {
    if (text_.size() > kMaxLength) return std::nullopt;
    while (at_ < text_.size()) {
      if (!Step()) return std::nullopt;
    }
    while (groups_.size() > 1) Close();
    EndBranch();
    const Cost all = groups_.back().branches;
    if (all.nodes > kMaxNodes || all.idle > kMaxIdle) return std::nullopt;
    if (all.edges > 0 && all.idle > 0 && IsTangled(all)) return std::nullopt;
    return all;
  }

 private:
  bool Step() {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        Take(Cost());
        groups_.emplace_back();
        return groups_.size() <= kMaxDepth;
      case ')':
        if (groups_.size() > 1) {
          Close();
        } else {
          Take(Character());
        }
        return true;
      case '|':
        EndBranch();
        return true;
      case '*':
        return Repeat(2, true, true);
      case '+':
        return Repeat(2, false, true);
      case '?':
        return Repeat(2, true, false);
      case '{':
        return Interval();
      case '\\':
        TakeEscaped();
        return true;
      case '[':
        SkipBracket();
        Take(Character());
        return true;
      case '^':
      case '$':
        Take({.nodes = 1, .edges = 1});
        return true;
      default:
        Take(Character());
        return true;
    }
  }

  static bool IsTangled(const Cost& all) {
    return all.edges > kMaxEdges || all.forks > kMaxForks || all.idle_forks > kMaxIdleForks ||
           all.idle_edges > kMaxIdleEdges;
  }

  static Cost Character() { return {.nodes = 1, .empty = false}; }

  // What is not a character is an edge of a word or of the text, or a group again.
  void TakeEscaped() {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    const bool refers = c >= '1' && c <= '9';
    const bool edge = std::string_view("bB<>`'").find(c) != std::string_view::npos;
    Take({.nodes = 1,
          .references = refers ? 1U : 0U,
          .edges = edge ? 1U : 0U,
          .empty = refers || edge});
    ++at_;
  }

  // The atom that a repetition would apply to is kept apart.
  void Take(const Cost& cost) {
    groups_.back().branch = Sum(groups_.back().branch, last_);
    last_ = cost;
  }

  void EndBranch() {
    Take(Cost());
    Group& group = groups_.back();
    const bool empty = group.branch.empty || (group.has_branches && group.branches.empty);
    group.branches = Sum(group.branches, group.branch);
    ++group.branches.nodes;
    if (group.has_branches) ++group.branches.forks;
    group.branches.empty = empty;
    group.has_branches = true;
    group.branch = Cost();
  }

  void Close() {
    EndBranch();
    last_ = groups_.back().branches;
    groups_.pop_back();
  }

  bool Repeat(std::uint64_t times, bool may_be_none, bool for_ever) {
    last_.nodes *= times;
    last_.references *= times;
    last_.edges *= times;
    // What is repeated by * or ? is not copied.
    last_.forks = last_.forks * (may_be_none && times == 2 ? 1 : times) + 1;
    last_.idle *= times;
    last_.idle_forks *= times;
    last_.idle_edges *= times;
    if (for_ever && last_.empty) {
      last_.idle = last_.nodes;
      last_.idle_forks = last_.forks;
      last_.idle_edges = last_.edges;
    }
    last_.empty = last_.empty || may_be_none;
    return last_.nodes <= kMaxNodes;
  }

  // {n}, {n,}, {,m}, {n,m}: as often as the larger bound says, once more for what is copied.
  // Anything else is refused by the library, or a character.
  bool Interval() {
    const std::size_t begin = at_;
    const std::optional<std::uint64_t> least = TakeNumber();
    const bool comma = at_ < text_.size() && text_[at_] == ',';
    if (comma) ++at_;
    const std::optional<std::uint64_t> most = comma ? TakeNumber() : least;
    if (at_ >= text_.size() || text_[at_] != '}' || (!least && !comma)) {
      at_ = begin;
      Take(Character());
      return true;
    }
    ++at_;
    const std::uint64_t largest = std::max({least.value_or(0), most.value_or(0), std::uint64_t{1}});
    return Repeat(largest + 1, least.value_or(0) == 0, comma && !most);
  }

  std::optional<std::uint64_t> TakeNumber() {
    std::optional<std::uint64_t> number;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      number = std::min<std::uint64_t>(number.value_or(0) * 10 + digit, 65535);
    }
    return number;
  }

  void SkipBracket() {
    if (at_ < text_.size() && text_[at_] == '^') ++at_;
    if (at_ < text_.size() && text_[at_] == ']') ++at_;
    while (at_ < text_.size() && text_[at_] != ']') {
      if (text_[at_] == '[' && at_ + 1 < text_.size() &&
          std::string_view(".:=").find(text_[at_ + 1]) != std::string_view::npos) {
        const std::array<char, 2> end = {text_[at_ + 1], ']'};
        const std::size_t found = text_.find(std::string_view(end.data(), 2), at_ + 2);
        at_ = found == std::string_view::npos ? text_.size() : found + 2;
      } else {
        ++at_;
      }
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  struct Group {
    Cost branches;  // those that have ended
    bool has_branches = false;
    Cost branch;
  };
  std::vector<Group> groups_{{}};
  Cost last_;
};

std::uint64_t Cube(std::uint64_t number) { return number * number * number; }

// Whether a ^ exponent > limit.
bool PowerExceeds(std::uint64_t a, std::uint64_t exponent, std::uint64_t limit) {
  if (a < 2) return a > limit;
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) {
    power *= a;
    if (power > limit) return true;
  }
  return false;
}

// How long a name may be. The library tries all ways to divide it among the groups that are
// referred to: a power of the length, which has cost it minutes for a hundred characters.
std::size_t LongestName(const Cost& cost) {
  std::uint64_t length = std::min(kMaxName, kMaxWork / std::max<std::uint64_t>(cost.nodes, 1));
  if (cost.references > 0) {
    while (PowerExceeds(length, cost.references + 2, kMaxWork)) --length;
  }
  return static_cast<std::size_t>(length);
}

std::string ErrorText(int code, const regex_t* compiled) {
  std::array<char, 256> text{};
  regerror(code, compiled, text.data(), text.size());
  return text.data();
}

}  // namespace

tl::expected<Pattern, std::string> Pattern::Compile(std::string_view text) {
  auto compiled = std::make_unique<regex_t>();
  int code = REG_ESIZE;
  const std::optional<Cost> cost = CostCounter(text).Count();
  if (cost) code = regcomp(compiled.get(), std::string(text).c_str(), REG_EXTENDED | REG_NOSUB);
  if (code != 0) return tl::unexpected(ErrorText(code, compiled.get()));
  return Pattern(std::unique_ptr<regex_t, Free>(compiled.release()),
                 static_cast<std::size_t>(cost->nodes + Cube(cost->idle) / kIdlePerNode),
                 LongestName(*cost));
}

bool Pattern::Matches(const std::string& name) const {
  if (name.size() > longest_name_) return false;
  return regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace pmproof::derived
