// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_DOMAIN_HEADER_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_DOMAIN_HEADER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/pmda/names/diagnosis.h"

// domain.h of an agent's folder (PMD-330): the agent's domain and the word that stands for it.

namespace pmproof::pmda {

struct DomainHeader {
  std::string symbol{};  // SYMDOM
  std::uint32_t domain = 0;
};

// The one macro of the text that is a number, read as the preprocessor of name spaces reads it
// (PMD-306); macros that are none, such as those that guard a header, do not matter. Errors: what
// the preprocessor refuses, and PMD-330: no such macro, several, or a number that is no domain.
tl::expected<DomainHeader, Diagnosis> ReadDomainHeader(std::string_view text,
                                                       const std::string& file);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_DOMAIN_HEADER_H_
