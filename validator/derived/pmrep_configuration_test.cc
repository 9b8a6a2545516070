// SPDX-License-Identifier: Apache-2.0
// What pmrep 6.0.3 and 7.2.2 were seen to take (the experiment below section 3.1 of
// reference/spec/derived.md).

#include "validator/derived/pmrep_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pmproof::validator {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// "section: name = expression @line; ...", or the error.
std::string Read(std::string_view text) {
  const auto sections = ReadPmrepConfiguration(text, "F");
  if (!sections) return sections.error().ToText();
  std::string all;
  for (const PmrepSection& section : *sections) {
    all += section.name + ":";
    for (const PmrepDefinition& definition : section.definitions) {
      all += " " + definition.name + " = " + definition.expression + " @" +
             std::to_string(definition.line) + ";";
    }
    for (const std::string& path : section.configurations) all += " " + path + ";";
  }
  return all;
}

TEST(PmrepConfiguration, AFormulaDefinesTheMetricOfTheKeyBeforeIt) {  // DER-342
  EXPECT_EQ(Read("[x]\nlab = d.a,Label,,\nlab.formula = 2 * m\nlab.label = L\n"),
            "x: d.a = 2 * m @3;");
  EXPECT_EQ(Read("[x]\nLab: d.a\nLab.formula: \"2 * m\"\n"), "x: d.a = 2 * m @3;");
  EXPECT_EQ(Read("[x] ; c\n lab = d.a\n lab.formula = m\n"), "x: d.a = m @3;");
}

TEST(PmrepConfiguration, AKeyWithADotIsAMetricItself) {  // DER-342
  EXPECT_EQ(Read("[x]\nd.a = Label\nd.a.formula = 2 * m\n"), "");
  EXPECT_EQ(Read("[x]\nlab = d.a\nlab.Formula = 2 * m\n"), "");
}

TEST(PmrepConfiguration, AValueGoesOnInIndentedLines) {  // DER-341
  EXPECT_EQ(Read("[x]\nlab = d.a\nlab.formula = 2 *\n   m\n"), "x: d.a = 2 *\nm @3;");
  EXPECT_EQ(Read("[x]\nlab = d.a\nlab.formula = 2 * m  \n\n  # no\n   + 1\n# end\n"),
            "x: d.a = 2 * m\n\n+ 1 @3;");
}

TEST(PmrepConfiguration, EachSectionIsForItself) {  // DER-344
  EXPECT_EQ(Read("[global]\nq = d.q\nq.formula = 5\n[x]\nl = d.q\n[y]\nq = d.q\nq.formula = 7 *\n"),
            "global: d.q = 5 @3;y: d.q = 7 * @8;");
}

TEST(PmrepConfiguration, TheListOfTheOptionsIsDividedAtCommas) {  // DER-345
  EXPECT_EQ(Read("[options]\nderived = d.z = 3 * m,/etc/d.conf,\n   d.y = 4,./e\n"),
            "options: d.z = 3 * m @2; d.y = 4 @3; /etc/d.conf; ./e;");
  EXPECT_EQ(Read("[options]\nderived = d.m = matchinst(/a/, m)\n"),
            "options: d.m = matchinst(/a/ @2; m) =  @2;");
}

TEST(PmrepConfiguration, APercentSignIsDoubled) {  // DER-343
  EXPECT_EQ(Read("[x]\nlab = d.a\nlab.formula = 100 %% 3\n"), "x: d.a = 100 % 3 @3;");
  EXPECT_EQ(Read("[x]\nlab = d.a,%x\nlab.formula = 1\n"),
            "F: line 2: a single % begins an interpolation [DER-343]");
}

TEST(PmrepConfiguration, WhatEndsPmrepIsAnErrorWithItsLine) {
  EXPECT_EQ(Read("[x]\nlab.formula = 2\nlab = d.a\n"),
            "F: line 2: lab does not stand before its formula [DER-342]");
  EXPECT_EQ(Read("\nlab = d.a\n[x]\n"), "F: line 2: no section begins before [DER-341]");
  EXPECT_EQ(Read("[x]\na = 1\n[x]\n"), "F: line 3: section x was there before [DER-341]");
  EXPECT_EQ(Read("[x]\na = 1\na = 2\n"), "F: line 3: a was there before in its section [DER-341]");
  EXPECT_EQ(Read("[x]\nno value\n"), "F: line 2: neither a section nor KEY = VALUE [DER-341]");
}

TEST(PmrepConfiguration, WithoutFormulasThereIsNothing) {
  EXPECT_THAT(Read(""), IsEmpty());
  EXPECT_THAT(Read("[options]\nversion = 1\n[x]\nmem.free = free,,,\n"), IsEmpty());
  EXPECT_THAT(Read(std::string("\0[x\n", 4)), HasSubstr("line 1"));
}

}  // namespace
}  // namespace pmproof::validator
