// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/domain_header.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"
#include "reference/pmda/names/preprocessor.h"

namespace pmproof::pmda {
namespace {

constexpr std::uint32_t kLastDomain = 510;

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

}  // namespace

tl::expected<DomainHeader, Diagnosis> ReadDomainHeader(std::string_view text,
                                                       const std::string& file) {
  const auto refuse = [&](std::string message) {
    return tl::unexpected(
        Diagnosis{.file = file, .clause = "PMD-330"_clause, .message = std::move(message)});
  };
  // A header's last line counts without its newline, too.
  const auto preprocessed = Preprocess(std::string(text) + "\n", file, NoIncludes());
  if (!preprocessed) return tl::unexpected(preprocessed.error());
  const std::pair<const std::string, std::string>* found = nullptr;
  for (const auto& macro : preprocessed->macros) {
    if (!IsNumber(macro.second)) continue;
    if (found != nullptr) {
      return refuse(Printable(found->first) + " and " + Printable(macro.first) +
                    " are numbers: one is expected, the agent's domain");
    }
    found = &macro;
  }
  if (found == nullptr) return refuse("no macro is a number: the agent's domain is expected");
  DomainHeader header{.symbol = found->first};
  const std::string& digits = found->second;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), header.domain);
  if (parsed.ec != std::errc() || header.domain > kLastDomain) {
    return refuse(Printable(found->first) + " is " + Printable(digits) +
                  ": a domain from 0 to 510 is expected");
  }
  return header;
}

}  // namespace pmproof::pmda
