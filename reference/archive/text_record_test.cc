// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/text_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "reference/archive/testing/meta_record_bytes.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MetaRecordBytes;
using testing::RecordingReporter;

constexpr std::uint32_t kMetric = Pmid::Of(29, 0, 1).value;
constexpr std::size_t kText = 16;

struct Decoded {
  std::optional<TextRecord> text;
  std::vector<std::string> rules;
  std::vector<testing::Recorded> violations;
};

Decoded Decode(const MetaRecordBytes& bytes, bool last = false) {
  RecordingReporter reporter;
  Decoded decoded;
  decoded.text = DecodeText(bytes.View(), last, reporter);
  decoded.rules = reporter.Rules();
  decoded.violations = std::move(reporter.violations);
  return decoded;
}

std::vector<std::string> RulesForType(std::uint32_t type) {
  return Decode(MetaRecordBytes(TextModel{type, kMetric, "text"})).rules;
}

std::vector<std::string> RulesForText(const std::string& text, std::uint32_t type = 5) {
  return Decode(MetaRecordBytes(TextModel{type, kMetric, text})).rules;
}

TEST(TextRecord, HasTypeIdentifierAndText) {  // ARC-430
  const MetaRecordBytes bytes(TextModel{6, kMetric, "long\nhelp"});
  const Decoded decoded = Decode(bytes);
  ASSERT_TRUE(decoded.text);
  EXPECT_EQ(decoded.text->type, 6U);
  EXPECT_EQ(decoded.text->identifier, kMetric);
  EXPECT_EQ(decoded.text->text, "long\nhelp");
  EXPECT_THAT(decoded.rules, IsEmpty());
}

TEST(TextRecord, IsForAMetricOrAnInstanceDomain) {  // ARC-431, ARC-432
  const MetaRecordBytes metric(TextModel{5, kMetric, "one"});
  EXPECT_TRUE(Decode(metric).text->ForMetric());
  EXPECT_FALSE(Decode(metric).text->ForIndom());
  const MetaRecordBytes both(TextModel{13, kMetric, "one"});
  EXPECT_FALSE(Decode(both).text->ForMetric());
  EXPECT_TRUE(Decode(both).text->ForIndom());
}

TEST(TextRecord, TooShortForItsFieldsIsNotLoaded) {  // ARC-1109
  for (std::size_t payload = 8; payload < kText; ++payload) {
    MetaRecordBytes bytes(TextModel{5, kMetric, "one line"});
    const Decoded decoded = Decode(bytes.CutPayload(payload));
    EXPECT_FALSE(decoded.text);
    EXPECT_THAT(decoded.rules, ElementsAre("ARC-1109")) << payload;
  }
}

TEST(TextRecord, TypeIsOneOfFour) {  // ARC-431
  for (const std::uint32_t type : {5U, 6U, 9U, 10U}) EXPECT_THAT(RulesForType(type), IsEmpty());
}

TEST(TextRecord, WithoutClassMakesTheRecordsBehindItUnreadable) {  // ARC-1601, ARC-432
  for (const std::uint32_t type : {4U, 8U, 12U, 0U, 16U}) {
    const Decoded decoded = Decode(MetaRecordBytes(TextModel{type, kMetric, "text"}));
    EXPECT_FALSE(decoded.text);
    ASSERT_THAT(decoded.rules, ElementsAre("ARC-1601")) << type;
    EXPECT_EQ(decoded.violations[0].gravity, Gravity::kFatal);
    EXPECT_EQ(decoded.violations[0].where.offset, 1008U);
  }
}

TEST(TextRecord, WithoutClassAtTheEndOfTheFileIsSkipped) {  // ARC-1601, ARC-432
  const Decoded decoded = Decode(MetaRecordBytes(TextModel{4, kMetric, "text"}), true);
  EXPECT_FALSE(decoded.text);
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1601"));
  EXPECT_EQ(decoded.violations[0].gravity, Gravity::kError);
}

TEST(TextRecord, WithoutTargetMakesTheRecordsBehindItUnreadable) {  // ARC-1602, ARC-432
  for (const std::uint32_t type : {1U, 2U, 3U, 17U}) {
    const Decoded decoded = Decode(MetaRecordBytes(TextModel{type, kMetric, "text"}));
    EXPECT_FALSE(decoded.text);
    ASSERT_THAT(decoded.rules, ElementsAre("ARC-1602")) << type;
    EXPECT_EQ(decoded.violations[0].gravity, Gravity::kFatal);
  }
  const Decoded last = Decode(MetaRecordBytes(TextModel{1, kMetric, "text"}), true);
  EXPECT_EQ(last.violations[0].gravity, Gravity::kError);
}

TEST(TextRecord, WithTwoClassesOrTargetsIsLoaded) {  // ARC-1602
  for (const std::uint32_t type : {13U, 14U, 7U, 11U, 15U}) {
    const Decoded decoded = Decode(MetaRecordBytes(TextModel{type, kMetric, "text"}));
    EXPECT_TRUE(decoded.text);
    ASSERT_THAT(decoded.rules, ElementsAre("ARC-1602")) << type;
    EXPECT_EQ(decoded.violations[0].gravity, Gravity::kError);
  }
}

TEST(TextRecord, TypeHasNoOtherBits) {  // ARC-1603
  for (const std::uint32_t type : {5U + 16, 5U + 64, 0x80000005U}) {
    EXPECT_THAT(RulesForType(type), ElementsAre("ARC-1603")) << type;
  }
}

TEST(TextRecord, TextEndsWithNul) {  // ARC-1604
  MetaRecordBytes bytes(TextModel{5, kMetric, "one line"});
  const Decoded decoded = Decode(bytes.CutPayload(kText + 8));
  ASSERT_TRUE(decoded.text);
  EXPECT_EQ(decoded.text->text, "one line");
  EXPECT_THAT(decoded.rules, ElementsAre("ARC-1604"));
}

TEST(TextRecord, NoByteOfTextIsNoNul) {  // ARC-1604
  EXPECT_THAT(Decode(MetaRecordBytes(TextModel{5, kMetric, ""}).CutPayload(kText)).rules,
              ElementsAre("ARC-1604"));
}

TEST(TextRecord, OneLineTextHasOneLine) {  // ARC-1606
  EXPECT_THAT(RulesForText("two\nlines"), ElementsAre("ARC-1606"));
  EXPECT_THAT(RulesForText("one\n"), ElementsAre("ARC-1606"));
  EXPECT_THAT(RulesForText("two\nlines", 6), IsEmpty());
}

TEST(TextRecord, EmptyTextIsCounted) {  // ARC-1608, ARC-433
  EXPECT_THAT(RulesForText(""), ElementsAre("ARC-1608"));
}

TEST(TextRecord, NulInsideTheTextCutsIt) {  // ARC-1609
  const MetaRecordBytes bytes(TextModel{5, kMetric, "abc\0def"s});
  const Decoded decoded = Decode(bytes);
  EXPECT_EQ(decoded.text->text, "abc");
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1609"));
  EXPECT_EQ(decoded.violations[0].where.offset, 1000 + kText + 3);
  EXPECT_THAT(RulesForText("\0def"s), ElementsAre("ARC-1609"));
  EXPECT_THAT(RulesForText("padded\0"s), ElementsAre("ARC-1609"));
}

TEST(TextRecord, TextIsUtf8) {  // ARC-1610
  EXPECT_THAT(RulesForText("caf\xc3\xa9"), IsEmpty());
  const Decoded decoded = Decode(MetaRecordBytes(TextModel{5, kMetric, "ab\xff\xfe"}));
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1610"));
  EXPECT_EQ(decoded.violations[0].where.offset, 1000 + kText + 2);
}

TEST(TextRecord, TextDoesNotActOnATerminal) {  // ARC-1612
  EXPECT_THAT(RulesForText("lines\n\tof text\n", 6), IsEmpty());
  for (const char* const text :
       {"a\x1b[2J", "a\r", "a\x7f", "a\u009b", "a\u202e", "a\u2028", "a\u200b"}) {
    const Decoded decoded = Decode(MetaRecordBytes(TextModel{5, kMetric, text}));
    ASSERT_THAT(decoded.rules, ElementsAre("ARC-1612")) << text;
    EXPECT_EQ(decoded.violations[0].where.offset, 1000 + kText + 1);
  }
  EXPECT_THAT(RulesForText("\xff\x1b"), ElementsAre("ARC-1610", "ARC-1612"));
}

TEST(TextRecord, InstanceDomainOfATextIsNotNull) {  // ARC-1611
  EXPECT_THAT(Decode(MetaRecordBytes(TextModel{9, 0xffffffff, "one"})).rules,
              ElementsAre("ARC-1611"));
  EXPECT_THAT(Decode(MetaRecordBytes(TextModel{5, 0xffffffff, "one"})).rules, IsEmpty());
}

TEST(TextRecord, ShownTextIsBounded) {
  const Decoded decoded =
      Decode(MetaRecordBytes(TextModel{5, kMetric, std::string(100'000, '\n')}));
  ASSERT_THAT(decoded.rules, ElementsAre("ARC-1606"));
  EXPECT_LT(decoded.violations[0].details.actual.size(), 100U);
}

RC_GTEST_PROP(TextRecord, AnyBytesAreDecodedOrReported, ()) {
  MetaRecordBytes bytes(TextModel{*rc::gen::element(5U, 6U, 9U, 10U), kMetric, "some text"});
  const int flips = *rc::gen::inRange(0, 6);
  for (int i = 0; i < flips; ++i) {
    bytes.SetByte(*rc::gen::inRange<std::size_t>(4, bytes.size() - 4),
                  *rc::gen::arbitrary<std::uint8_t>());
  }
  bytes.CutPayload(*rc::gen::inRange<std::size_t>(4, bytes.size() - 3));
  const Decoded decoded = Decode(bytes, *rc::gen::arbitrary<bool>());
  RC_ASSERT(decoded.text || decoded.rules.size() == 1U);
}

}  // namespace
}  // namespace pmproof::archive
