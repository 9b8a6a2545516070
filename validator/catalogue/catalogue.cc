// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/catalogue.h"

#include <cstddef>

namespace pmproof::validator {
namespace {

constexpr const char* kPartNames[] = {"files", "label", "metadata", "data", "index", "set"};

}  // namespace

const char* ToText(RulePart part) { return kPartNames[static_cast<std::size_t>(part)]; }

std::optional<RulePart> ParseRulePart(std::string_view text) {
  for (const RulePart part : kRuleParts) {
    if (text == ToText(part)) return part;
  }
  return std::nullopt;
}

}  // namespace pmproof::validator
