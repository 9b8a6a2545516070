// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "reference/pmda/names/domain_register.h"
#include "reference/pmda/names/help_source.h"
#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/pmcd_conf.h"
#include "reference/pmda/names/pmns_source.h"

// Any text as each of the files: the first byte chooses which. What is refused says why; what is
// taken can be written and read again.

namespace pmproof::pmda {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void TryPmns(std::string_view text) {
  int includes = 0;
  const IncludeReader itself = [&](const std::string&) -> tl::expected<std::string, std::string> {
    constexpr int kMost = 100;
    if (++includes > kMost) return tl::unexpected(std::string("enough"));
    return std::string(text);
  };
  const auto source = ReadPmns(text, "pmns", itself);
  if (!source) {
    Require(!source.error().message.empty() && !source.error().clause.empty());
    return;
  }
  const auto written = WritePmns(source->names);
  Require(written.has_value());
  const auto again = ReadPmns(*written, "pmns");
  Require(again.has_value() && again->names == source->names && again->warnings.empty());
}

void TryHelp(std::string_view text, const HelpLimits& limits) {
  NameTree names;
  names.Add("a.b", Pmid::Of(1, 2, 3));
  names.Add("d", DynamicRoot(29));
  const HelpSource source = ReadHelpSource(text, "help", names, limits);
  Require(source.status == 0 || !source.problems.empty());
  const auto table = HelpTable::Read(CompileHelp(source.entries), "help");
  Require(table.has_value() && table->size() == source.entries.size());
  for (const HelpEntry& entry : source.entries) {
    Require(table->Find(entry.id, kTextOneLine).has_value());
    Require(table->Find(entry.id, kTextHelp).has_value());
  }
}

// The first half is the directory, the second the texts.
void TryCompiledHelp(std::string_view octets) {
  CompiledHelp files;
  files.dir = octets.substr(0, octets.size() / 2);
  files.pag = octets.substr(octets.size() / 2);
  const auto table = HelpTable::Read(files, "help");
  if (!table) {
    Require(table.error().clause == "PMD-314"_clause);
    return;
  }
  for (std::uint32_t item = 0; item < 4; ++item) {
    const auto text = table->Find(Pmid::Of(1, 2, item), kTextHelp);
    if (text) Require(text->size() <= files.pag.size());
  }
}

void TryConf(std::string_view text) {
  const PmcdConf conf = ReadPmcdConf(text, "conf");
  for (const ConfAgent& agent : conf.agents) Require(agent.domain <= 510);
  if (conf.access) Require(!conf.access->empty() || !conf.problems.empty());
}

}  // namespace
}  // namespace pmproof::pmda

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmproof::pmda;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0:
      TryPmns(text);
      break;
    case 1:
      TryHelp(text, HelpLimits::UpTo638());
      break;
    case 2:
      TryHelp(text, {.line_bytes = 8, .entry_bytes = 32});
      break;
    case 3:
      TryCompiledHelp(text);
      break;
    case 4:
      TryConf(text);
      break;
    default: {
      DomainRegister domains;
      domains.Add(text, "register", false);
      break;
    }
  }
  return 0;
}
