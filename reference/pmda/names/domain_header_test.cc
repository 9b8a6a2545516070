// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/domain_header.h"

#include <gtest/gtest.h>

namespace pmproof::pmda {
namespace {

// "SYMBOL NUMBER", or the error.
std::string Read(std::string_view text) {
  const auto header = ReadDomainHeader(text, "domain.h");
  if (!header) return header.error().ToText();
  return header->symbol + " " + std::to_string(header->domain);
}

TEST(DomainHeader, IsOneNumber) {  // PMD-330
  EXPECT_EQ(Read("#define SIMPLE 253\n"), "SIMPLE 253");
  EXPECT_EQ(Read("#define SIMPLE 253"), "SIMPLE 253");
  EXPECT_EQ(Read("/* The\n   domain. */\n#define BOX\t510 /* free */\n"), "BOX 510");
  EXPECT_EQ(Read("#ifndef BOX_H\n#define BOX_H\n#define BOX 0\n#endif\n"), "BOX 0");
  EXPECT_EQ(Read("#pragma once\n#define BOX 7\n"), "BOX 7");  // it is C's header as well
}

TEST(DomainHeader, OtherwiseSaysWhy) {  // PMD-330
  EXPECT_EQ(Read(""), "domain.h: no macro is a number: the agent's domain is expected [PMD-330]");
  EXPECT_EQ(Read("#define A 1\n#define B 2\n"),
            "domain.h: A and B are numbers: one is expected, the agent's domain [PMD-330]");
  EXPECT_EQ(Read("#define A 511\n"),
            "domain.h: A is 511: a domain from 0 to 510 is expected [PMD-330]");
  EXPECT_EQ(Read("#define A 99999999999999999999\n"),
            "domain.h: A is 99999999999999999999: a domain from 0 to 510 is expected [PMD-330]");
}

}  // namespace
}  // namespace pmproof::pmda
