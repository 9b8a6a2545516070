// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_PREPROCESSOR_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_PREPROCESSOR_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/pmda/names/diagnosis.h"
#include "reference/pmda/names/text_file.h"

// PMD-306: what happens to the text of a name space before its grammar.

namespace pmproof::pmda {

// With its newline (PMD-305); comments count as the blanks that stand for them.
inline constexpr std::size_t kMaxSourceLine = 255;
inline constexpr std::size_t kMaxIncludeDepth = 5;  // the first file is the first

using Macros = std::map<std::string, std::string, std::less<>>;  // names to their texts

struct SourceLine {
  std::string text{};    // without newline; comments are blanks, macros are replaced
  std::size_t file = 0;  // in Preprocessed::files
  std::size_t line = 0;  // from 1
};

struct Preprocessed {
  std::vector<std::string> files{};  // as they were named
  // Those that are neither blank, nor control lines, nor left out by a condition.
  std::vector<SourceLine> lines{};
  Macros macros{};  // that are defined at the end
  std::vector<Diagnosis> warnings{};
};

// Time and memory are linear in the text and what it includes, which together may have kMaxTextFile
// bytes. The first error ends it. The macros of `given` keep their texts, whatever #define and
// #undef say of them: as if Install had put the domain in place of its symbol (PMD-332).
tl::expected<Preprocessed, Diagnosis> Preprocess(std::string_view text, const std::string& file,
                                                 const IncludeReader& includes,
                                                 const Macros& given = {});

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_PREPROCESSOR_H_
