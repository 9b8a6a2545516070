// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/certificate.h"

namespace pmproof::validator {
namespace {

constexpr Verdict kVerdicts[] = {Verdict::kConformant, Verdict::kNotConformant,
                                 Verdict::kNotReadable, Verdict::kNone};

}  // namespace

const char* ToText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConformant:
      return "conformant";
    case Verdict::kNotConformant:
      return "not conformant";
    case Verdict::kNotReadable:
      return "not readable";
    case Verdict::kNone:
      return "none";
  }
  return "?";
}

std::optional<Verdict> ParseVerdict(std::string_view text) {
  for (const Verdict verdict : kVerdicts) {
    if (text == ToText(verdict)) return verdict;
  }
  return std::nullopt;
}

Verdict VerdictOf(const ArchiveReport& report) {
  if (report.failure || !report.internal_errors.empty()) return Verdict::kNone;
  if (report.conformant) return Verdict::kConformant;
  return report.readable ? Verdict::kNotConformant : Verdict::kNotReadable;
}

}  // namespace pmproof::validator
