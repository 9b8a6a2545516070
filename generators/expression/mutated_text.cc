// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/mutated_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "reference/derived/functions.h"

namespace pmproof::generators {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr std::string_view kOperators[] = {"+",  "-",  "*", "/", "<", "<=", "==", ">=", ">", "!=",
                                           "&&", "||", "!", "?", ":", ",",  "=",  "(",  ")"};
constexpr std::string_view kWords[] = {"type",    "semantics", "units",       "meta", "indom",
                                       "no.such", "a..b",      "avg",         "rate", "counter",
                                       "u32",     "Type",      "PM_TYPE_U32", "x_1.y"};
constexpr std::string_view kNumbers[] = {
    "0", "1", "4294967296", "99999999999999999999", "1.5", ".", "1..2", "1e5", "007"};
constexpr std::string_view kQuoted[] = {"\"\"",     "\"byte\"", "\"foo\"", "\"Kbyte / sec / sec\"",
                                        "\"1..1\"", "\"60.1\"", "\"u32\"", "\"x"};
constexpr std::string_view kBracketed[] = {"[]", "[a\\]b]", "[a", "[a1 one]"};
constexpr std::string_view kPatterns[] = {"/x/", "/a(/",    "/[/",      "//",
                                          "/*/", "/\\\\1/", "/a{2,1}/", "/x"};
constexpr std::string_view kCharacters[] = {"#",  "&",  "|", "@", "_", "\\", "'", ";",
                                            "\n", "\t", "{", "$", "%", "^",  "~", "`"};

using Pool = std::span<const std::string_view>;
constexpr Pool kPools[] = {kWords, kNumbers, kQuoted, kBracketed, kPatterns, kCharacters};

std::string AnyOf(Random& random, Pool pool) {
  return std::string(pool[static_cast<std::size_t>(random.Below(pool.size()))]);
}

std::string AnyFunction(Random& random) {
  const auto row = static_cast<std::size_t>(random.Below(derived::kFunctions.size()));
  return std::string(derived::kFunctions[row].name) + "(";
}

// Another one of its sort.
std::string Another(Random& random, const std::string& token) {
  if (token[0] == '"') return AnyOf(random, kQuoted);
  if (token[0] == '[') return AnyOf(random, kBracketed);
  if (IsDigit(token[0]) || token[0] == '.') return AnyOf(random, kNumbers);
  if (!IsAlpha(token[0])) return AnyOf(random, kOperators);
  return token.back() == '(' ? AnyFunction(random) : AnyOf(random, kWords);
}

std::string AnyToken(Random& random) {
  const auto sort = static_cast<std::size_t>(random.Below(std::size(kPools) + 2));
  if (sort == 0) return AnyOf(random, kOperators);
  return sort == 1 ? AnyFunction(random) : AnyOf(random, kPools[sort - 2]);
}

// How long the token is that begins with text.
std::size_t LengthOf(std::string_view text) {
  const auto run = [&](auto&& belongs) {
    std::size_t length = 1;
    while (length < text.size() && belongs(text[length])) ++length;
    return length;
  };
  const char first = text[0];
  if (IsBlank(first)) return run(IsBlank);
  if (IsDigit(first) || first == '.') return run([](char c) { return IsDigit(c) || c == '.'; });
  if (IsAlpha(first)) {
    const std::size_t length =
        run([](char c) { return IsAlpha(c) || IsDigit(c) || c == '_' || c == '.'; });
    return length < text.size() && text[length] == '(' ? length + 1 : length;
  }
  if (first == '"' || first == '[') {
    const std::size_t end = text.find(first == '"' ? '"' : ']', 1);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  const bool two = text.size() > 1 && (text[1] == '=' || text[1] == first) &&
                   std::string_view("<>=!&|").find(first) != std::string_view::npos;
  return two ? 2 : 1;
}

std::string Joined(std::span<const std::string> tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

void MutateToken(Random& random, std::vector<std::string>* tokens) {
  const auto index = [&](std::size_t size) { return static_cast<std::size_t>(random.Below(size)); };
  const auto at = static_cast<std::ptrdiff_t>(index(tokens->size()));
  const auto token = tokens->begin() + at;
  switch (random.Below(6)) {
    case 0:
      tokens->erase(token);
      break;
    case 1:
      tokens->insert(token, std::string(*token));
      break;
    case 2:
      std::swap(*token, (*tokens)[index(tokens->size())]);
      break;
    case 3:
    case 4:
      *token = Another(random, *token);
      break;
    default:
      tokens->insert(token, AnyToken(random));
      break;
  }
}

void MutateCharacter(Random& random, std::string* text) {
  const auto at = static_cast<std::size_t>(random.Below(text->size()));
  const auto any = static_cast<char>(random.Between(' ', '~'));
  switch (random.Below(4)) {
    case 0:
      text->erase(at, 1);
      break;
    case 1:
      text->insert(at, 1, any);
      break;
    case 2:
      (*text)[at] = any;
      break;
    default:
      text->resize(at);
      break;
  }
}

}  // namespace

std::vector<std::string> RoughTokens(std::string_view text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    const std::size_t length = LengthOf(text);
    tokens.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return tokens;
}

std::string MutatedText(Random& random, std::string_view text) {
  std::string mutated(text);
  for (std::uint64_t count = 1 + random.Below(random.Below(3) + 1); count > 0; --count) {
    if (mutated.empty()) return mutated;
    if (random.Chance(1, 4)) {
      MutateCharacter(random, &mutated);
      continue;
    }
    std::vector<std::string> tokens = RoughTokens(mutated);
    MutateToken(random, &tokens);
    mutated = Joined(tokens);
  }
  return mutated;
}

std::vector<std::string> SimplerTexts(const std::string& text) {
  std::vector<std::string> simpler;
  const std::vector<std::string> tokens = RoughTokens(text);
  for (std::size_t length = tokens.size(); length > 0; length /= 2) {
    for (std::size_t begin = 0; begin < tokens.size(); begin += length) {
      const std::size_t end = std::min(begin + length, tokens.size());
      simpler.push_back(Joined(std::span(tokens).first(begin)) +
                        Joined(std::span(tokens).subspan(end)));
    }
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].size() < 2) continue;
    const std::string before = Joined(std::span(tokens).first(i));
    const std::string after = Joined(std::span(tokens).subspan(i + 1));
    for (std::size_t cut = 0; cut < tokens[i].size(); ++cut) {
      std::string token = tokens[i];
      token.erase(cut, 1);
      simpler.push_back(std::string(before).append(token).append(after));
    }
  }
  return simpler;
}

}  // namespace pmproof::generators
