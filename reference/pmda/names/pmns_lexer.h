// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_PMNS_LEXER_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_PMNS_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/pmda/names/diagnosis.h"
#include "reference/pmda/names/preprocessor.h"

// Preprocessed lines to the tokens of PMNS source (14.1).

namespace pmproof::pmda {

enum class PmnsTokenKind : std::uint8_t {
  kEnd,
  kOpen,   // {
  kClose,  // }
  kName,   // letter { letter | digit | "_" }
  kPath,   // names with dots between
  kPmid,   // digits, ":" and "*"; PmidOf() reads it
  kOther,
};

struct PmnsToken {
  PmnsTokenKind kind = PmnsTokenKind::kEnd;
  std::string text{};
  // Where it stands, with line markers '# 12 "file"' taken into account. Never null.
  std::shared_ptr<const std::string> file{};
  std::size_t line = 0;
};

class PmnsLexer {
 public:
  // `source` must outlive this.
  explicit PmnsLexer(const Preprocessed& source);

  // kEnd is repeated for ever. PMD-306: a line with "#" that is not a line marker.
  tl::expected<PmnsToken, Diagnosis> Next();

 private:
  // A line marker: the line after source line `line` has this number, in this file.
  struct Marker {
    std::size_t line;
    std::size_t number;
    std::shared_ptr<const std::string> file;
  };
  bool TakeMarker(const SourceLine& line);
  void Place(const SourceLine& line);

  const Preprocessed& source_;
  std::size_t next_ = 0;  // line of source_
  std::string line_{};    // without blanks around ":"
  std::size_t at_ = 0;
  std::shared_ptr<const std::string> file_{};  // where line_ stands
  std::size_t number_ = 0;
  std::vector<std::shared_ptr<const std::string>> files_{};  // of source_
  std::map<std::size_t, Marker> markers_{};                  // by index in files_
};

struct PmidSpec {
  Pmid pmid{};
  std::string warning{};  // empty: none
};

// PMD-303: "d:c:i", "d:*:*", and what PCP also takes: "d:c:i:n", and "d" for "d:*:*" [Q]. The error
// says what is wrong.
tl::expected<PmidSpec, std::string> PmidOf(std::string_view text);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_PMNS_LEXER_H_
