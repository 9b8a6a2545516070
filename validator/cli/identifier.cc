// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/identifier.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace pmproof::validator {
namespace {

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

// Levenshtein's: the number of characters to insert, delete or replace.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

constexpr std::size_t kShown = 3;

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "; nearest: " : ", ") + name;
  return text;
}

}  // namespace

std::optional<Clause> ParseIdentifier(std::string_view text) {
  return Clause::Parse(UpperCase(text));
}

std::vector<Clause> Nearest(std::string_view text, const std::vector<Clause>& identifiers) {
  constexpr std::size_t kLongest = 64;  // what is longer resembles nothing
  const std::string wanted = UpperCase(text.substr(0, kLongest));
  const std::optional<Clause> clause = Clause::Parse(wanted);
  using Distance = std::tuple<std::size_t, int, Clause>;
  std::vector<Distance> distances;
  for (const Clause identifier : identifiers) {
    const bool same_chapter = clause && clause->chapter() == identifier.chapter();
    const int numbers = same_chapter ? std::abs(clause->number() - identifier.number()) : 0x10000;
    distances.emplace_back(EditDistance(wanted, identifier.ToString()), numbers, identifier);
  }
  std::sort(distances.begin(), distances.end());
  std::vector<Clause> nearest;
  for (const Distance& distance : distances) {
    if (nearest.size() == kShown || std::get<0>(distance) > wanted.size() / 2 + 1) break;
    nearest.push_back(std::get<Clause>(distance));
  }
  return nearest;
}

std::string NearestHint(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 128;
  const std::string wanted = UpperCase(text.substr(0, kLongest));
  if (wanted.size() < 2) return "";  // resembles everything
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& name : names) {
    const std::size_t most = std::max<std::size_t>(wanted.size() > 3 ? 2 : 1, wanted.size() / 3);
    const std::size_t longer = std::max(name.size(), wanted.size());
    if (longer - std::min(name.size(), wanted.size()) > most) continue;
    const std::size_t edits = EditDistance(wanted, UpperCase(name));
    if (edits <= most) near.emplace_back(edits, &name);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, const std::string*>::first);
  near.resize(std::min(near.size(), kShown));
  std::vector<std::string> shown;
  for (const auto& [edits, name] : near) shown.push_back(*name);
  return Joined(shown);
}

std::string NearestHint(std::string_view text, const std::vector<Clause>& identifiers) {
  std::vector<std::string> shown;
  for (const Clause near : Nearest(text, identifiers)) shown.push_back(near.ToString());
  return Joined(shown);
}

}  // namespace pmproof::validator
