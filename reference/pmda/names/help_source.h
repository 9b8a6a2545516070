// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_HELP_SOURCE_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_HELP_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/pmda/names/diagnosis.h"
#include "reference/pmda/names/name_tree.h"

// Help-text source (14.2), read as PCP's compiler newhelp reads it.

namespace pmproof::pmda {

// What a help text is about.
using HelpId = std::variant<Pmid, Indom>;

struct HelpEntry {
  HelpId id{};
  std::string identifier{};  // as the source has it: "simple.color", "253.0.1", "253.0"
  std::string one_line{};    // no newline in it
  std::string full{};        // no newline at its end

  friend bool operator==(const HelpEntry&, const HelpEntry&) = default;
};

// PMD-312: lines with their newline, entries with those of their lines and without "@ ".
struct HelpLimits {
  std::size_t line_bytes = 127;
  std::size_t entry_bytes = 1024;

  static constexpr HelpLimits UpTo638() { return {}; }
  static constexpr HelpLimits From72() { return {.line_bytes = 1023, .entry_bytes = 2048}; }
};

struct HelpSource {
  std::vector<HelpEntry> entries{};  // in the order of the source
  // Errors are what newhelp says or ends with; warnings are about what it does not notice.
  std::vector<Diagnosis> problems{};
  int status = 0;  // newhelp's: 1 for a line split or an entry cut, 2 for an entry dropped
};

// PMD-310..312. Names are looked up in `names`. The line of a problem is that where the entry or
// the line begins. Time and memory are linear in the text.
HelpSource ReadHelpSource(std::string_view text, const std::string& file, const NameTree& names,
                          const HelpLimits& limits = HelpLimits::From72());

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_HELP_SOURCE_H_
