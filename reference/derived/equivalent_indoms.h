// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EQUIVALENT_INDOMS_H_
#define PMPROOF_REFERENCE_DERIVED_EQUIVALENT_INDOMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/identifiers.h"

namespace pmproof::derived {

// Instance domains that count as equal in binary operators (DER-832, 833): sets, as a host's
// indom.conf lists them. Two domains are equivalent if one set has both; being so is not handed on
// from set to set. A value.
class EquivalentIndoms {
 public:
  struct Error {
    std::uint64_t line = 0;  // from 1
    std::string message;     // in PCP's words: "<domain> 600 too big"
  };

  // None are equivalent.
  EquivalentIndoms() = default;

  // The text of indom.conf, as 6.3.8 and 7.2.2 read it (DER-833). A set is a line of
  // DOMAIN.SERIAL or DOMAIN.*, any serial, with spaces or tabs between; "#" where a domain may
  // stand begins a comment. [Q] Only a newline directly after a serial ends a set: after blanks
  // or a comment it goes on in the next line, and at the end of the file such a set is lost. One
  // error anywhere, and no set counts; a last line without newline is one.
  static tl::expected<EquivalentIndoms, Error> Parse(std::string_view text);

  // The sets that these versions bring: 3.9 3.39 3.40 (processes), and 60.0 127.* (CPUs).
  static EquivalentIndoms Default();

  bool Contains(Indom left, Indom right) const;

 private:
  struct Member {
    std::uint32_t domain = 0;
    std::optional<std::uint32_t> serial;  // nothing: any
    bool Includes(Indom indom) const {
      return indom.domain() == domain && (!serial || indom.serial() == *serial);
    }
  };
  using Set = std::vector<Member>;
  class Parser;

  std::vector<Set> sets_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EQUIVALENT_INDOMS_H_
