// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/pdu_type.h"
#include "reference/pmda/pdu/testing/wire_words.h"

// PDU-014: where the error of a PDU that cannot be decoded, or not be written, says that it is
// wrong: the offset of the field by the tables of section 4, and its name. Authors of agents look
// there first.

namespace pmproof::pdu {
namespace {

struct Row {
  std::string_view wrong;  // what is wrong in the PDU
  std::string_view body;   // the octets from offset 12 on, in hexadecimal
  Clause clause{};
  std::size_t offset = 0;
  std::string_view field{};
  const Strictness* reader = &kV72;
  std::size_t zeros = 0;  // octets that follow `body`
};

std::uint8_t Digit(char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); }

Buffer PduOf(PduType type, const Row& row) {
  Buffer bytes = Words({0, static_cast<std::uint32_t>(type), 0});
  std::string digits;
  for (const char c : row.body) {
    if (c != ' ') digits += c;
  }
  EXPECT_EQ(digits.size() % 2, 0U);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(Digit(digits[i]) << 4 | Digit(digits[i + 1])));
  }
  bytes.resize(bytes.size() + row.zeros);
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

void ExpectPlace(const Buffer& bytes, const Row& row) {
  SCOPED_TRACE(row.wrong);
  const auto pdu = Decoder(*row.reader).Decode(bytes);
  ASSERT_FALSE(pdu);
  EXPECT_EQ(pdu.error().offset, row.offset);
  EXPECT_EQ(pdu.error().field, row.field);
  EXPECT_EQ(pdu.error().clause, row.clause);
}

void ExpectPlaces(PduType type, const std::vector<Row>& rows) {
  SCOPED_TRACE(ToText(type));
  for (const Row& row : rows) ExpectPlace(PduOf(type, row), row);
}

TEST(FaultPlacesTest, OfTheHeader) {  // PDU-002: len @0, type @4
  ExpectPlace({0, 0, 0, 8, 0, 0, 0x70, 0}, {"8 octets", "", "PDU-003"_clause, 0, "len"});
  ExpectPlace(Words({20, 0x7004, 0, 0x3f400000}),
              {"20 for 16 octets", "", "PDU-002"_clause, 0, "len"});
  ExpectPlace(Words({0x80000010, 0x7004, 0, 0x3f400000}),
              {"negative", "", "PDU-002"_clause, 0, "len"});
  ExpectPlaces(PduType::kControlReq, {{"retired", "00000000", "PDU-020"_clause, 4, "type"}});
  ExpectPlaces(PduType{0x7018}, {{"one too many", "00000000", "PDU-020"_clause, 4, "type"}});
}

TEST(FaultPlacesTest, OfAnError) {  // 4.1: code @12, datum @16
  ExpectPlaces(PduType::kError,
               {{"no code", "", "PDU-050"_clause, 0, "len"},
                {"half a datum", "ffffcfff 0000", "PDU-050"_clause, 0, "len"},
                {"24 octets", "ffffcfff 00000000 00000000", "PDU-050"_clause, 0, "len"},
                {"no such old code", "80000000 00000000", "PDU-051"_clause, 12, "code"}});
}

TEST(FaultPlacesTest, OfCredentials) {  // 4.2: ncreds @12, credentials @16
  ExpectPlaces(PduType::kCreds,
               {{"no ncreds", "", "PDU-052"_clause, 0, "len"},
                {"no credentials", "00000000", "PDU-052"_clause, 12, "ncreds"},
                {"negative", "ffffffff", "PDU-052"_clause, 12, "ncreds"},
                {"1025", "00000401", "PDU-052"_clause, 12, "ncreds", &kV72, 4 * 1025},
                {"one of two", "00000002 01020000", "PDU-052"_clause, 12, "ncreds"},
                {"two of one", "00000001 01020000 01020000", "PDU-052"_clause, 12, "ncreds"}});
}

TEST(FaultPlacesTest, OfAnAttribute) {  // 4.11: attr @12, value @16
  ExpectPlaces(PduType::kAttr, {{"no attr", "", "PDU-072"_clause, 0, "len"},
                                {"4096", "0000000f", "PDU-072"_clause, 0, "len", &kV72, 4096}});
}

// 4.3: ctxid @12, state @16, nprof @20, pad @24; entries of 16 from @28: indom, state, ninst, pad
TEST(FaultPlacesTest, OfAProfile) {
  constexpr Clause kClause = "PDU-054"_clause;
  ExpectPlaces(
      PduType::kProfile,
      {{"20 octets", "00000000 00000000", kClause, 0, "len"},
       {"no pad", "00000000 00000000 00000000", kClause, 0, "len", &kV60},
       {"no pad before an entry", "00000000 00000000 00000001", kClause, 0, "len"},
       {"context -1", "ffffffff 00000000 00000000 00000000", kClause, 12, "ctxid"},
       {"-1 entries", "00000000 00000000 ffffffff 00000000", kClause, 20, "nprof"},
       {"an entry without its pad",
        "00000003 00000000 00000001 00000000  00000105 00000000 00000000", kClause, 20, "nprof"},
       {"one entry of two",
        "00000000 00000000 00000002 00000000  3f400000 00000001 00000000 00000000", kClause, 20,
        "nprof"},
       {"-1 instances of the first",
        "00000000 00000000 00000001 00000000  3f400000 00000001 ffffffff 00000000", kClause, 36,
        "ninst"},
       {"-1 instances of the second",
        "00000000 00000000 00000002 00000000  3f400000 00000001 00000000 00000000"
        "3f400001 00000001 ffffffff 00000000",
        kClause, 52, "ninst"},
       {"one instance of two",
        "00000000 00000000 00000001 00000000  3f400000 00000001 00000002 00000000  00000001",
        kClause, 36, "ninst"},
       {"two instances of three, the last of the second entry",
        "00000000 00000000 00000002 00000000  3f400000 00000001 00000001 00000000"
        "3f400001 00000001 00000002 00000000  00000001 00000002",
        kClause, 52, "ninst"},
       {"two instances of one",
        "00000000 00000000 00000001 00000000  3f400000 00000001 00000001 00000000"
        "00000001 00000002",
        kClause, 48, "instances"}});
}

TEST(FaultPlacesTest, OfAFetch) {  // 4.4: ctxid @12, unused @16, npmid @24, pmids @28
  constexpr Clause kClause = "PDU-056"_clause;
  for (const PduType type : {PduType::kFetch, PduType::kHighresFetch}) {
    ExpectPlaces(
        type, {{"no npmid", "00000000 00000000 00000000", kClause, 0, "len"},
               {"no pmid", "00000000 00000000 00000000 00000000", kClause, 0, "len"},
               {"of nothing", "00000000 00000000 00000000 00000000 3f400000", kClause, 24, "npmid"},
               {"negative", "00000000 00000000 00000000 ffffffff 3f400000", kClause, 24, "npmid"},
               {"one of two", "00000000 00000000 00000000 00000002 3f400000", kClause, 24, "npmid"},
               {"one and a half", "00000000 00000000 00000000 00000001 3f400000 3f40", kClause, 24,
                "npmid"}});
  }
}

TEST(FaultPlacesTest, OfDescriptors) {  // 4.6
  ExpectPlaces(PduType::kDescReq, {{"no pmid", "", "PMD-085"_clause, 0, "len"},
                                   {"two", "3f400000 3f400001", "PMD-085"_clause, 0, "len"}});
  ExpectPlaces(PduType::kDesc,
               {{"no units", "3f400000 00000000 ffffffff 00000001", "PDU-038"_clause, 0, "len"},
                {"a word more", "3f400000 00000000 ffffffff 00000001 00000000 00000000",
                 "PDU-038"_clause, 0, "len"}});
  constexpr Clause kClause = "PDU-059"_clause;
  ExpectPlaces(PduType::kDescIds,
               {{"no pmid", "ffffffff 00000001", kClause, 0, "len"},
                {"a status", "00000000 00000001 3f400000", kClause, 12, "status"},
                {"of nothing", "ffffffff 00000000 3f400000", kClause, 16, "n"},
                {"negative", "ffffffff ffffffff 3f400000", kClause, 16, "n"},
                {"one of two", "ffffffff 00000002 3f400000", kClause, 16, "n"},
                {"two of one", "ffffffff 00000001 3f400000 3f400001", kClause, 24, "pmid"}});
  ExpectPlaces(PduType::kDescs,
               {{"no units", "00000001 3f400000 00000000 ffffffff 00000001", kClause, 0, "len"},
                {"of nothing", "00000000", kClause, 12, "n", &kV72, 20},
                {"negative", "ffffffff", kClause, 12, "n", &kV72, 20},
                {"one of two", "00000002", kClause, 12, "n", &kV72, 20},
                {"two of one", "00000001", kClause, 12, "n", &kV72, 40}});
}

// 4.7: indom @12, unused @16, inst @24, namelen @28, name @32
TEST(FaultPlacesTest, OfARequestOfInstances) {
  constexpr Clause kClause = "PDU-060"_clause;
  ExpectPlaces(
      PduType::kInstanceReq,
      {{"no namelen", "3f400000 00000000 00000000 ffffffff", kClause, 0, "len"},
       {"four of five", "3f400000 00000000 00000000 ffffffff 00000005 61626364", kClause, 28,
        "namelen"},
       {"negative", "3f400000 00000000 00000000 ffffffff ffffffff", kClause, 28, "namelen"},
       {"unpadded", "3f400000 00000000 00000000 ffffffff 00000001 61", kClause, 0, "len"},
       {"a word more", "3f400000 00000000 00000000 ffffffff 00000001 617e7e7e 00000000", kClause, 0,
        "len"}});
}

// 4.7: indom @12, numinst @16; entries from @20: inst, namelen, padded name
TEST(FaultPlacesTest, OfInstances) {
  constexpr Clause kClause = "PDU-063"_clause;
  ExpectPlaces(
      PduType::kInstance,
      {{"no numinst", "3f400000", kClause, 0, "len"},
       {"one of two", "3f400000 00000002  00000000 00000000", kClause, 16, "numinst"},
       {"negative", "3f400000 ffffffff", kClause, 16, "numinst"},
       {"four of five", "3f400000 00000001  00000000 00000005 61626364", kClause, 24, "namelen"},
       {"-1", "3f400000 00000001  00000000 ffffffff 61626364", kClause, 24, "namelen"},
       {"unpadded", "3f400000 00000001  00000000 00000001 61", kClause, 24, "namelen"},
       {"no second", "3f400000 00000002  00000000 00000005 61626364 657e7e7e", kClause, 36, "inst"},
       {"none of two", "3f400000 00000002  00000000 00000001 617e7e7e  00000001 00000002", kClause,
        36, "namelen"},
       {"a word after none", "3f400000 00000000  00000000", kClause, 20, "name"},
       {"a word after one", "3f400000 00000001  00000000 00000001 617e7e7e  00000000", kClause, 32,
        "name"}});
}

TEST(FaultPlacesTest, OfHelpTexts) {  // 4.8: ident @12, type or buflen @16, text @20
  ExpectPlaces(PduType::kTextReq,
               {{"no type", "3f400000", "PMD-090"_clause, 0, "len"},
                {"a word more", "3f400000 00000005 00000000", "PMD-090"_clause, 0, "len"}});
  constexpr Clause kClause = "PDU-067"_clause;
  ExpectPlaces(PduType::kText,
               {{"no buflen", "3f400000", kClause, 0, "len"},
                {"four of five", "3f400000 00000005 61626364", kClause, 16, "buflen"},
                {"four of five", "3f400000 00000005 61626364", kClause, 16, "buflen", &kV60},
                {"negative", "3f400000 ffffffff 61626364", kClause, 16, "buflen"},
                {"unpadded", "3f400000 00000003 616263", kClause, 16, "buflen"}});
}

TEST(FaultPlacesTest, OfMetricIdentifiers) {  // 4.9: status @12, n @16, pmids @20
  constexpr Clause kClause = "PDU-070"_clause;
  ExpectPlaces(PduType::kPmnsIds,
               {{"no pmid", "00000000 00000001", kClause, 0, "len"},
                {"of nothing", "00000000 00000000 3f400000", kClause, 16, "n"},
                {"negative", "00000000 ffffffff 3f400000", kClause, 16, "n"},
                {"one of two", "00000000 00000002 3f400000", kClause, 16, "n"},
                {"two of one", "00000000 00000001 3f400000 3f400001", kClause, 24, "pmid"}});
}

// 4.9: nstrbytes @12, numstatus @16, numnames @20; entries from @24: status if there is one,
// namelen, padded name
TEST(FaultPlacesTest, OfMetricNames) {
  constexpr Clause kClause = "PDU-069"_clause;
  ExpectPlaces(
      PduType::kPmnsNames,
      {{"no numnames", "00000000 00000000", kClause, 0, "len"},
       {"-1 names", "00000000 00000000 ffffffff", kClause, 20, "numnames"},
       {"-1 names", "00000000 00000000 ffffffff", kClause, 20, "numnames", &kV60},
       {"33 bytes of names in 32", "00000021 00000000 00000001  00000001 617e7e7e", kClause, 12,
        "nstrbytes"},
       {"-1 bytes of names", "ffffffff 00000000 00000001  00000001 617e7e7e", kClause, 12,
        "nstrbytes"},
       {"a byte of names too few",
        "00000004 00000000 00000002  00000002 61627e7e  00000001 637e7e7e", kClause, 12,
        "nstrbytes"},
       {"one status of two", "00000005 00000001 00000002  00000002 61627e7e  00000001 637e7e7e",
        kClause, 16, "numstatus"},
       {"-1 statuses", "00000002 ffffffff 00000001  00000001 617e7e7e", kClause, 16, "numstatus"},
       {"one of two", "00000002 00000000 00000002  00000001 617e7e7e", kClause, 20, "numnames"},
       {"an empty one", "00000001 00000000 00000001  00000000", kClause, 20, "numnames"},
       {"without the room of a status", "00000002 00000001 00000001  00000000 00000000", kClause,
        20, "numnames"},
       {"four of five", "00000006 00000000 00000001  00000005 61626364", kClause, 24, "namelen"},
       {"-1", "00000006 00000000 00000001  ffffffff 61626364", kClause, 24, "namelen"},
       {"four of five, with a status", "00000006 00000001 00000001  00000000 00000005 61626364",
        kClause, 28, "namelen"},
       {"four of five of the second",
        "00000008 00000000 00000002  00000001 617e7e7e  00000005 61626364", kClause, 32, "namelen"},
       {"no second", "0000000e 00000000 00000002  0000000c 61626364 65666768 696a6b6c", kClause, 40,
        "namelen"},
       {"no second, with statuses",
        "00000012 00000002 00000002  00000000 00000010 61626364 65666768 696a6b6c 6d6e6f70",
        kClause, 48, "status"}});
}

TEST(FaultPlacesTest, OfNodesOfTheNameSpace) {  // 4.10: subtype @12, namelen @16, name @20
  constexpr Clause kClause = "PDU-071"_clause;
  for (const PduType type : {PduType::kPmnsChild, PduType::kPmnsTraverse}) {
    ExpectPlaces(type, {{"no namelen", "00000000", kClause, 0, "len"},
                        {"four of five", "00000000 00000005 61626364", kClause, 16, "namelen"},
                        {"negative", "00000000 ffffffff 61626364", kClause, 16, "namelen"}});
  }
}

TEST(FaultPlacesTest, OfARequestOfLabels) {  // 4.12: ident @12, type @16
  constexpr Clause kClause = "PMD-091"_clause;
  ExpectPlaces(PduType::kLabelReq, {{"no type", "000000fd", kClause, 0, "len"},
                                    {"more", "000000fd 00000002 00000000", kClause, 0, "len"}});
}

// 4.12: ident @12, type @16, padding @20, nsets @24; sets from @28: inst, nlabels, json, jsonlen,
// then labels of 8 octets: name offset, name length @2, flags, value offset, value length
TEST(FaultPlacesTest, OfLabels) {
  constexpr Clause kShape = "PDU-073"_clause;
  constexpr Clause kLimits = "PDU-074"_clause;
  ExpectPlaces(
      PduType::kLabel,
      {{"no nsets", "000000fd 00000002 00000000", kShape, 0, "len"},
       {"one set of two",
        "000000fd 00000002 00000000 00000002  ffffffff 00000000 0000002c 00000000", kShape, 24,
        "nsets"},
       {"-1 sets", "000000fd 00000002 00000000 ffffffff  ffffffff 00000000 0000002c 00000000",
        kShape, 24, "nsets"},
       {"no second set",
        "000000fd 00000002 00000000 00000002  ffffffff 00000002 0000003c 00000000"
        "00000000 00000000  00000000 00000000",
        kShape, 60, "inst"},
       {"one label of two",
        "000000fd 00000002 00000000 00000001  ffffffff 00000002 0000002c 00000000"
        "00000000 00000000",
        kShape, 32, "nlabels"},
       {"255 labels", "000000fd 00000002 00000000 00000001  ffffffff 000000ff 00000824 00000000",
        kLimits, 32, "nlabels", &kV72, 8UL * 255},
       {"255 labels of the second set",
        "000000fd 00000020 00000000 00000002  00000000 00000000 00000834 00000000"
        "00000001 000000ff 00000834 00000000",
        kLimits, 48, "nlabels", &kV72, 8UL * 255},
       {"a text in the header",
        "000000fd 00000002 00000000 00000001  ffffffff 00000000 0000001b 00000000", kLimits, 36,
        "json"},
       {"a text after the PDU",
        "000000fd 00000002 00000000 00000001  ffffffff 00000000 0000002d 00000000", kLimits, 36,
        "json"},
       {"a text before the PDU",
        "000000fd 00000002 00000000 00000001  ffffffff 00000000 ffffffff 00000000", kLimits, 36,
        "json", &kV60},
       {"two octets of three",
        "000000fd 00000002 00000000 00000001  ffffffff 00000000 0000002c 00000003  7b7d", kLimits,
        40, "jsonlen"},
       {"-1 octets", "000000fd 00000002 00000000 00000001  ffffffff 00000000 0000002c ffffffff",
        kLimits, 40, "jsonlen"},
       {"65535 octets", "000000fd 00000002 00000000 00000001  ffffffff 00000000 0000002c 0000ffff",
        kLimits, 40, "jsonlen", &kV72, 65535},
       {"a text of the second set after the PDU",
        "000000fd 00000020 00000000 00000002  00000000 00000000 0000003c 00000000"
        "00000001 00000000 0000003d 00000000",
        kLimits, 52, "json"},
       {"a name of 255 octets, of the second label",
        "000000fd 00000002 00000000 00000001  ffffffff 00000002 0000003c 00000000"
        "00000000 00000000  0000ff00 00000000",
        kLimits, 54, "name length", &kV72, 255},
       {"a name after the text, of the second label",
        "000000fd 00000002 00000000 00000001  ffffffff 00000002 0000003c 00000002"
        "00000000 00000000  00000300 00000000  7b7d",
        kLimits, 52, "label"},
       {"a value after the text",
        "000000fd 00000002 00000000 00000001  ffffffff 00000001 00000034 00000002"
        "00000000 00010002  7b7d",
        kLimits, 44, "label"},
       {"an octet after the padded text",
        "000000fd 00000002 00000000 00000001  ffffffff 00000000 0000002c 00000002  7b7d 0000 00",
        kLimits, 48, "JSON"}});
}

// 4.5: npmid @20; value sets from @24: pmid, numval, valfmt, pairs of inst and value; then blocks
TEST(FaultPlacesTest, OfAResult) {
  constexpr Clause kInside = "PDU-107"_clause;
  constexpr Clause kFilled = "PDU-106"_clause;
  ExpectPlaces(
      PduType::kResult,
      {{"no npmid", "00000000 00000000", kInside, 0, "len"},
       {"one set of two", "00000000 00000000 00000002  3f400402 00000000", kInside, 20, "npmid"},
       {"-1 sets", "00000000 00000000 ffffffff  3f400402 00000000", kInside, 20, "npmid"},
       {"no second set", "00000000 00000000 00000002  3f400402 00000001 00000000 ffffffff 00000005",
        kInside, 44, "pmid"},
       {"one value of two",
        "00000000 00000000 00000001  3f400402 00000002 00000000 ffffffff 00000005", kInside, 28,
        "numval"},
       {"no valfmt", "00000000 00000000 00000001  3f400402 00000001", kInside, 28, "numval"},
       {"no value of the second set",
        "00000000 00000000 00000002  3f400402 00000000  3f400403 00000001 00000000 ffffffff",
        kInside, 36, "numval"},
       {"valfmt 3", "00000000 00000000 00000001  3f400402 00000001 00000003 ffffffff 00000005",
        "PDU-101"_clause, 32, "valfmt"},
       {"valfmt -1 of the second set",
        "00000000 00000000 00000002  3f400402 00000000"
        "3f400403 00000001 ffffffff ffffffff 00000005",
        "PDU-101"_clause, 40, "valfmt"},
       {"a block in the header",
        "00000000 00000000 00000001  3f400402 00000001 00000001 ffffffff 00000001  05000004",
        kInside, 40, "value"},
       {"a block after the PDU",
        "00000000 00000000 00000001  3f400402 00000001 00000001 ffffffff 0000000c  05000004",
        kInside, 40, "value"},
       {"a second block after the PDU",
        "00000000 00000000 00000001  3f400402 00000002 00000001 00000000 0000000d"
        "00000001 0000000f  05000004 05000004",
        kInside, 48, "value"},
       {"a block of 3 octets",
        "00000000 00000000 00000001  3f400402 00000001 00000001 ffffffff 0000000b  05000003",
        "PDU-104"_clause, 44, "vlen"},
       {"half a block",
        "00000000 00000000 00000001  3f400402 00000001 00000001 ffffffff 0000000b"
        "0500000c 00000000",
        "PDU-104"_clause, 44, "vlen"},
       {"half a second block",
        "00000000 00000000 00000001  3f400402 00000002 00000001 00000000 0000000d"
        "00000001 0000000e  05000004 05000008",
        "PDU-104"_clause, 56, "vlen"},
       {"a block that is shared",
        "00000000 00000000 00000001  3f400402 00000002 00000001 00000000 0000000d"
        "00000001 0000000d  05000008 00000000",
        kFilled, 48, "value"},
       {"a word after the last block",
        "00000000 00000000 00000001  3f400402 00000001 00000001 ffffffff 0000000b"
        "05000004 00000000",
        kFilled, 44, "blocks"},
       {"a word after a value in situ",
        "00000000 00000000 00000001  3f400402 00000001 00000000 ffffffff 00000005  00000000",
        kFilled, 44, "blocks"},
       {"a gap before a block that is shared",
        "00000000 00000000 00000001  3f400402 00000002 00000001 00000000 0000000f"
        "00000001 0000000f  00000000 00000000 05000008 00000000",
        kFilled, 52, "blocks"},
       {"an event record that is missing",
        "00000000 00000000 00000001  3f400402 00000001 00000001 ffffffff 0000000b"
        "09000008 00000001",
        "PDU-174"_clause, 44, "records"}});
}

TEST(FaultPlacesTest, OfAHighResolutionResult) {  // 4.5: npmid @12; value sets from @32
  constexpr Clause kInside = "PDU-107"_clause;
  ExpectPlaces(
      PduType::kHighresResult,
      {{"half a time", "00000000 00000000 00000000 00000000", kInside, 0, "len"},
       {"one set of two", "00000002 00000000 00000000 00000000 00000000  3f400402 00000000",
        kInside, 12, "npmid"},
       {"no second set",
        "00000002 00000000 00000000 00000000 00000000"
        "3f400402 00000001 00000000 ffffffff 00000005",
        kInside, 52, "pmid"},
       {"one value of two",
        "00000001 00000000 00000000 00000000 00000000"
        "3f400402 00000002 00000000 ffffffff 00000005",
        kInside, 36, "numval"},
       {"valfmt 3",
        "00000001 00000000 00000000 00000000 00000000"
        "3f400402 00000001 00000003 ffffffff 00000005",
        "PDU-101"_clause, 40, "valfmt"},
       {"a block where a RESULT has it",
        "00000001 00000000 00000000 00000000 00000000"
        "3f400402 00000001 00000001 ffffffff 0000000b  05000004",
        kInside, 48, "value"},
       {"half a parameter of an event",
        "00000001 00000000 00000000 00000000 00000000"
        "3f400402 00000001 00000001 ffffffff 0000000d"
        "0a000024 00000001 00000000 00000000 00000000 00000000 00000001 00000001 3f400000",
        "PDU-174"_clause, 52, "records"}});
}

void ExpectPlaceOfWriting(const Body& body, Clause clause, std::size_t offset,
                          std::string_view field) {
  Buffer bytes;
  const auto written = Encode({.from = 0, .body = body}, &bytes);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().clause, clause);
  EXPECT_EQ(written.error().offset, offset);
  EXPECT_EQ(written.error().field, field);
}

TEST(FaultPlacesTest, OfLabelsThatCannotBeWritten) {
  const std::vector<LabelEntry> labels = {{.name_length = 1, .value_offset = 1, .value_length = 1},
                                          {.name_offset = 2, .name_length = 1}};
  const std::vector<LabelEntry> longer = {{.name_length = 1}, {.name_length = 255}};
  const LabelSet sound{.instance = 0, .json = "{}"};
  const std::vector<LabelSet> sets = {sound, {.instance = 1, .json = "{}", .labels = labels}};
  ExpectPlaceOfWriting(Label{.type = 32, .sets = sets}, "PDU-074"_clause, 68, "label");
  const std::vector<LabelSet> others = {sound, {.instance = 1, .json = "{}", .labels = longer}};
  ExpectPlaceOfWriting(Label{.type = 32, .sets = others}, "PDU-074"_clause, 70, "name length");
}

TEST(FaultPlacesTest, OfBlocksThatCannotBeWritten) {
  const std::vector<std::uint8_t> five(5);
  const std::vector<std::uint8_t> half_a_count(2);
  const std::vector<InstanceValue> words = {{.instance = 0}, {.instance = 1}};
  const std::vector<InstanceValue> blocks = {
      {.instance = 0, .type = MetricType::kString, .body = std::span(five)},
      {.instance = 1, .type = MetricType{256}, .body = std::span(five)}};
  const std::vector<InstanceValue> events = {
      {.instance = 0, .type = MetricType::kString, .body = std::span(five)},
      {.instance = 1, .type = MetricType::kEvent, .body = std::span(half_a_count)}};
  const auto result = [&](const std::vector<InstanceValue>& values, std::vector<ValueSet>* sets) {
    *sets = {{.values = std::span(words)},
             {.format = ValueFormat::kDynamic, .values = std::span(values)}};
    return Result{.sets = std::span<const ValueSet>(*sets)};
  };
  std::vector<ValueSet> sets;
  // Sets of 28 octets each from 24 on, then a block of 9 octets and its padding.
  ExpectPlaceOfWriting(result(blocks, &sets), "PDU-104"_clause, 92, "type");
  ExpectPlaceOfWriting(result(events, &sets), "PDU-174"_clause, 92, "records");
}

}  // namespace
}  // namespace pmproof::pdu
