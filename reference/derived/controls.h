// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_CONTROLS_H_
#define PMPROOF_REFERENCE_DERIVED_CONTROLS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/error_code.h"

// What steers derived metrics from outside (DER section 4; Dialect::controls).

namespace pmproof::derived {

enum class Control : std::uint8_t {
  kGlobalLimit,
  kContextLimit,
  kDebugSyntax,
  kDebugSemantics,
  kDebugEval,
  kOptionNoValue,
};
inline constexpr std::size_t kControls = 6;

// Nothing if there is none. The names are those of Control in the order of DER-401, "global_limit";
// case does not matter, and any prefix names one, even the empty one [Q] (DER-403).
std::optional<Control> FindControl(std::string_view name);

// What a setting is found fault with, in PCP's words (DER-404): "unknown derived metric control
// (x)".
struct ControlProblem {
  bool error = false;  // else a warning
  std::string message;
  Clause clause;
};

// A value.
class Controls {
 public:
  enum class Source : std::uint8_t {
    kEnvironment,  // what it sets nobody else can change any more
    kOther,
  };

  // `in_context`: whether a context is open, without which it has no limit (DER-402).
  explicit Controls(bool in_context = true) : in_context_(in_context) {}

  // A limit is -1 or above 0, the others are 0 or 1 (DER-401). kOk, PM_ERR_ARG, or kAgain or
  // kNoContext (DER-402).
  ErrorCode Set(Control control, std::int32_t value, Source source = Source::kOther);
  std::int32_t Get(Control control) const { return values_[static_cast<std::size_t>(control)]; }

  // "name=int{,name=int}", each set in its turn; what is wrong with them (DER-402..404).
  std::vector<ControlProblem> Take(std::string_view text, Source source = Source::kOther);

  // DER-405: nothing: none.
  std::optional<std::size_t> global_limit() const { return Limit(Control::kGlobalLimit); }
  std::optional<std::size_t> context_limit() const { return Limit(Control::kContextLimit); }
  // DER-406.
  bool option_novalue() const { return Get(Control::kOptionNoValue) != 0; }

 private:
  std::optional<std::size_t> Limit(Control control) const;

  std::array<std::int32_t, kControls> values_ = {-1, -1, 0, 0, 0, 0};
  std::array<bool, kControls> fixed_{};  // by the environment
  bool in_context_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_CONTROLS_H_
