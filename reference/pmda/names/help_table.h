// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_HELP_TABLE_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_HELP_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "reference/core/help_text.h"
#include "reference/core/identifiers.h"
#include "reference/core/status.h"
#include "reference/pmda/names/help_source.h"

// Help texts as an agent keeps them at run time, and their compiled form (PMD-314, PMD-315).

namespace pmproof::pmda {

// The two files of compiled help.
struct CompiledHelp {
  std::string dir{};
  std::string pag{};
};

// PMD-314, octet for octet as newhelp writes it on a host of that byte order.
CompiledHelp CompileHelp(std::span<const HelpEntry> entries,
                         std::endian order = std::endian::native);

// A value.
class HelpTable {
 public:
  HelpTable() = default;
  // Of several entries with the same identifier the first counts.
  explicit HelpTable(std::span<const HelpEntry> entries);

  // Compiled help of a host with this one's byte order; `base` names it in errors. Texts are used
  // where they stand, however often records refer to them.
  static Result<HelpTable> Read(CompiledHelp files, const std::string& base);

  // PMD-315: whole identifiers are compared, with their domains. `request` is kTextOneLine or
  // kTextHelp; PDU-065 for others: one-line if that bit is set, else full. An entry's text may be
  // empty: neither stands in for the other. kNoText: no entry. Valid as long as the table.
  tl::expected<std::string_view, ErrorCode> Find(HelpId id, std::uint32_t request) const;

  // The same texts under another domain: for an agent started with -d, which PCP's library does not
  // do (PMD-315).
  HelpTable WithDomain(std::uint32_t domain) const;

  std::size_t size() const { return slots_.size(); }

 private:
  struct Text {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  struct Slot {
    HelpId id{};
    Text one_line{};
    Text full{};
  };
  void Index();

  std::string texts_;
  std::vector<Slot> slots_;
  std::unordered_map<std::uint64_t, std::size_t> index_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_HELP_TABLE_H_
