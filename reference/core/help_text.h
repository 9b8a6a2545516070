// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_HELP_TEXT_H_
#define PMPROOF_REFERENCE_CORE_HELP_TEXT_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"

namespace pmproof {

// What is asked of a help text (MET-801, MET-802).
inline constexpr std::uint32_t kTextOneLine = 1;
inline constexpr std::uint32_t kTextHelp = 2;
inline constexpr std::uint32_t kTextDirect = 16;  // no one-line text instead of the full one

inline constexpr ErrorCode kBadRequest = static_cast<ErrorCode>(-12415);   // PM_ERR_ARG
inline constexpr ErrorCode kNoText = static_cast<ErrorCode>(-12349);       // PM_ERR_TEXT
inline constexpr ErrorCode kNoTextAtAll = static_cast<ErrorCode>(-12369);  // PM_ERR_NOTHOST

// The help texts of an archive. A value.
class HelpTexts {
 public:
  // The text stored first of a type and identifier counts.
  void Add(TextType type, std::uint32_t identifier, std::string text) {
    texts_.emplace(std::pair(static_cast<std::uint32_t>(type), identifier), std::move(text));
  }

  // kBadRequest, where not exactly one of the two texts is asked for; kNoText, or kNoTextAtAll in
  // an archive without texts of that kind.
  tl::expected<std::string_view, ErrorCode> Find(Pmid pmid, std::uint32_t request) const {
    return Find(pmid.value, kForMetric, request);
  }
  tl::expected<std::string_view, ErrorCode> Find(Indom indom, std::uint32_t request) const {
    return Find(indom.value, kForIndom, request);
  }

 private:
  static constexpr std::uint32_t kForMetric = 4;
  static constexpr std::uint32_t kForIndom = 8;

  tl::expected<std::string_view, ErrorCode> Find(std::uint32_t identifier, std::uint32_t target,
                                                 std::uint32_t request) const {
    const std::uint32_t level = request & (kTextOneLine | kTextHelp);
    if (level != kTextOneLine && level != kTextHelp) return tl::unexpected(kBadRequest);
    const auto found = OfKind(level | target, identifier);
    const bool wanting = !found || found->empty();
    if (wanting && level == kTextHelp && (request & kTextDirect) == 0)
      return OfKind(kTextOneLine | target, identifier);
    return found;
  }

  tl::expected<std::string_view, ErrorCode> OfKind(std::uint32_t type,
                                                   std::uint32_t identifier) const {
    const auto first = texts_.lower_bound({type, 0});
    if (first == texts_.end() || first->first.first != type) return tl::unexpected(kNoTextAtAll);
    const auto found = texts_.find({type, identifier});
    if (found == texts_.end()) return tl::unexpected(kNoText);
    return std::string_view(found->second);
  }

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> texts_;
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_HELP_TEXT_H_
