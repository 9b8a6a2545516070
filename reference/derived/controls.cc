// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/controls.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "reference/derived/blanks.h"

namespace pmproof::derived {
namespace {

constexpr ErrorCode kBadArgument{-12415};  // PM_ERR_ARG

constexpr std::array<std::string_view, kControls> kNames = {"global_limit", "context_limit",
                                                            "debug_syntax", "debug_semantics",
                                                            "debug_eval",   "option_novalue"};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A decimal number at the beginning, as strtol() reads it, which is then kept as an int: its low 32
// bits. `length`: of what was read; 0 if there is no number.
std::int32_t ReadInt(std::string_view text, std::size_t* length) {
  std::size_t at = std::min(text.find_first_not_of(kBlanks), text.size());
  const bool negative = text.substr(at).starts_with('-');
  if (negative || text.substr(at).starts_with('+')) ++at;
  const std::size_t digits = at;
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t limit = kMax + (negative ? 1 : 0);
  std::uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    value = value > (limit - digit) / 10 ? limit : value * 10 + digit;
  }
  *length = at == digits ? 0 : at;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(negative ? 0 - value : value));
}

std::string Named(std::string_view before, std::string_view text) {
  return std::string(before) + " derived metric control (" + std::string(text) + ")";
}

std::string_view ReasonOf(ErrorCode error) {
  if (error == ErrorCode::kAgain) return "Try again. Information not currently available";
  if (error == ErrorCode::kNoContext) return "Attempt to use an illegal context";
  return "Bad value for function argument";
}

}  // namespace

std::optional<Control> FindControl(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name.size() <= kNames[i].size() &&
        std::ranges::equal(name, kNames[i].substr(0, name.size()), {}, Lower)) {
      return static_cast<Control>(i);
    }
  }
  return std::nullopt;
}

ErrorCode Controls::Set(Control control, std::int32_t value, Source source) {
  const bool is_limit = control == Control::kGlobalLimit || control == Control::kContextLimit;
  const bool fits = is_limit ? value == -1 || value > 0 : value == 0 || value == 1;
  const auto i = static_cast<std::size_t>(control);
  const bool fixed = fixed_[i] && source != Source::kEnvironment;
  if (fixed && values_[i] != value) return ErrorCode::kAgain;  // whether it fits or not
  if (!fits) return kBadArgument;
  if (control == Control::kContextLimit && !in_context_) return ErrorCode::kNoContext;
  values_[i] = value;
  fixed_[i] = fixed_[i] || source == Source::kEnvironment;
  return ErrorCode::kOk;
}

std::optional<std::size_t> Controls::Limit(Control control) const {
  if (Get(control) < 0) return std::nullopt;
  return static_cast<std::size_t>(Get(control));
}

std::vector<ControlProblem> Controls::Take(std::string_view text, Source source) {
  std::vector<ControlProblem> problems;
  const auto warn = [&](std::string message, Clause clause) {
    problems.push_back({false, std::move(message), clause});
  };
  while (true) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      problems.push_back({true, Named("missing '=' in", text), "DER-404"_clause});
      return problems;
    }
    const std::string_view name = text.substr(0, equals);
    const std::string_view rest = text.substr(equals + 1);
    if (rest.empty() || rest[0] == ',') {
      warn(Named("missing value in", text), "DER-404"_clause);
      return problems;
    }
    std::size_t length = 0;
    const std::int32_t value = ReadInt(rest, &length);
    if (length == 0 || (length < rest.size() && rest[length] != ',')) {
      warn(Named("bad value (" + std::string(rest) + ") for", name), "DER-404"_clause);
      return problems;
    }
    const std::optional<Control> control = FindControl(name);
    if (!control) {
      warn(Named("unknown", name), "DER-403"_clause);
    } else if (const ErrorCode error = Set(*control, value, source); error != ErrorCode::kOk) {
      warn("failed to set derived metric control " + std::string(name) + "=" +
               std::to_string(value) + ": " + std::string(ReasonOf(error)),
           error == kBadArgument ? "DER-401"_clause : "DER-402"_clause);
    }
    if (length == rest.size()) return problems;
    text = rest.substr(length + 1);
  }
}

}  // namespace pmproof::derived
