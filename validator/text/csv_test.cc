// SPDX-License-Identifier: Apache-2.0
#include "validator/text/csv.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "reference/core/printable.h"

namespace pmproof::validator {
namespace {

TEST(CsvFieldTest, PlainTextStays) {
  EXPECT_EQ(CsvField("disk.dev.read", Formulas::kQuote), "disk.dev.read");
}

TEST(CsvFieldTest, CommasAndQuotesStandInQuotes) {
  EXPECT_EQ(CsvField("a,b \"c\"", Formulas::kQuote), "\"a,b \"\"c\"\"\"");
}

TEST(CsvFieldTest, FormulasAreTakenForText) {
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)"}) {
    EXPECT_EQ(CsvField(formula, Formulas::kQuote), "'" + std::string(formula));
    EXPECT_EQ(CsvField(formula, Formulas::kKeep), formula);
  }
}

TEST(CsvFieldTest, ForeignCharactersAreShownAsNumbers) {
  EXPECT_EQ(CsvField("a\r\nb\x1b[2J\xe2\x80\xae", Formulas::kQuote), "a\\r\\nb\\x1b[2J\\u202e");
}

RC_GTEST_PROP(CsvFieldTest, NoForeignCharacterIsLeft, (const std::string& bytes)) {
  const std::string field = CsvField(bytes, Formulas::kQuote);
  RC_ASSERT(FirstForeign(field).at == field.size());
}

}  // namespace
}  // namespace pmproof::validator
