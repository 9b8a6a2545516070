// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/pdu.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/pdu/testing/wire_words.h"

// What the vectors do not show: limits, and where versions of PCP differ.

namespace pmproof::pdu {
namespace {

// Sets len to the number of bytes, so that tests need not count.
Buffer Framed(Buffer bytes) {
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

PduError Fault(const Buffer& bytes, const Strictness& strictness = kV72) {
  const auto pdu = Decoder(strictness).Decode(bytes);
  EXPECT_FALSE(pdu) << ToText(*pdu);
  return pdu ? PduError{} : pdu.error();
}

std::string Meaning(const Buffer& bytes, const Strictness& strictness = kV72) {
  Decoder decoder(strictness);
  const auto pdu = decoder.Decode(bytes);
  return pdu ? ToText(*pdu) : pdu.error().ToText();
}

Clause Refusal(const Body& body) {
  Buffer bytes;
  const auto encoded = Encode({.body = body}, &bytes);
  EXPECT_TRUE(bytes.empty());
  return encoded ? Clause() : encoded.error().clause;
}

Buffer Encoded(const Body& body) {
  Buffer bytes;
  EXPECT_TRUE(Encode({.body = body}, &bytes));
  return bytes;
}

TEST(PduTest, AnEncodedPduFollowsTheOneBefore) {  // PDU-001
  Buffer bytes = Encoded(Attr{Attribute::kContainer, "box"});
  ASSERT_TRUE(Encode({.from = 7, .body = DescReq{Pmid::Of(253, 0, 0)}}, &bytes));
  ASSERT_EQ(bytes.size(), 35U);
  EXPECT_EQ(Meaning({bytes.begin() + 19, bytes.end()}), "DESC_REQ from=7 pmid=253.0.0");
}

TEST(PduTest, TheLengthIsThatOfTheBytes) {  // PDU-002
  EXPECT_EQ(Fault(Words({20, 0x7004, 0, 0})).clause, "PDU-002"_clause);
  EXPECT_EQ(Fault({}).clause, "PDU-003"_clause);
}

TEST(PduTest, AnErrorNamesItsPlaceAndClause) {
  EXPECT_EQ(Fault(Words({32, 0x7003, 0, 0, 0, 0, 9, 0})).ToText(),
            "offset 24: npmid: does not agree with len, 28 + 4 * npmid [PDU-056]");
}

TEST(ErrorTest, ExtendedCodesAreTranslatedBothWays) {  // PDU-051, test idea T5
  struct Case {
    std::int32_t code;
    std::uint32_t sent;
  };
  for (const Case& each :
       {Case{-12345, 0xfffffc18}, Case{-12387, 0xfffffbee}, Case{-12388, 0xfffffbed}, Case{0, 0},
        Case{-13, 0xfffffff3}, Case{-999, 0xfffffc19}}) {
    const Error error = {static_cast<ErrorCode>(each.code), 5U};
    const Buffer bytes = Encoded(error);
    EXPECT_EQ(bytes, Words({20, 0x7000, 0, each.sent, 5}));
    Decoder decoder;
    EXPECT_EQ(std::get<Error>(decoder.Decode(bytes)->body), error);
  }
}

TEST(ErrorTest, CodesBetweenErrnoAndPcpHaveNoExtendedForm) {  // PDU-051
  EXPECT_EQ(Refusal(Error{static_cast<ErrorCode>(-1000), 0U}), "PDU-051"_clause);
  EXPECT_EQ(Refusal(Error{static_cast<ErrorCode>(-12344), 0U}), "PDU-051"_clause);
  EXPECT_EQ(Fault(Words({20, 0x7000, 0, 0x80000000, 0})).clause, "PDU-051"_clause);
}

TEST(ErrorTest, PlainCodesAreAsTheyAre) {  // PDU-050, PDU-116
  EXPECT_EQ(Meaning(Words({16, 0x7000, 0, 0xfffffbee})), "ERROR from=0 code=-1042");
  EXPECT_EQ(Meaning(Words({16, 0x7000, 0, 7})), "ERROR from=0 code=7");
}

TEST(CredsTest, ThereAreAtMost1024) {  // PDU-052, test idea T28
  std::vector<Credential> credentials(1024, Credential::Version(2, kFeatureAuth));
  const Buffer bytes = Encoded(Creds{credentials});
  EXPECT_EQ(bytes.size(), 16U + 4 * 1024);
  credentials.emplace_back();
  EXPECT_EQ(Refusal(Creds{credentials}), "PDU-052"_clause);
  EXPECT_EQ(Refusal(Creds{}), "PDU-052"_clause);
  Buffer more = bytes;
  more.resize(bytes.size() + 4);
  StoreU32(&more[12], 1025);
  EXPECT_EQ(Fault(Framed(more)).clause, "PDU-052"_clause);
}

TEST(CredsTest, NoneAreTakenBy60Only) {  // PDU-052
  const Buffer bytes = Words({16, 0x700c, 9, 0});
  EXPECT_EQ(Meaning(bytes, kV60), "CREDS from=9 credentials=[]");
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-052"_clause);
}

TEST(CredsTest, AVersionCredentialHasVersionAndFlags) {  // 4.2
  constexpr Credential credential = Credential::Version(2, 0x0e44);
  EXPECT_EQ(credential.version(), 2);
  EXPECT_EQ(credential.flags(), 0x0e44);
  const Buffer bytes = Encoded(Creds{{&credential, 1}});
  EXPECT_EQ(bytes, Words({20, 0x700c, 0, 1, 0x01020e44}));
}

TEST(ProfilePduTest, HasItsLength) {  // PDU-054, test idea T18
  const std::vector<std::int32_t> two = {1, 2};
  const std::vector<ProfileEntry> entries = {{Indom::Of(253, 0), kExclude, two},
                                             {Indom::Of(253, 1), kInclude, {}}};
  EXPECT_EQ(Encoded(Profile{0, kInclude, entries}).size(), 68U);
  EXPECT_EQ(Refusal(Profile{.context = -1}), "PDU-054"_clause);
}

TEST(ProfilePduTest, BytesBehindInstancesAreTakenBy60Only) {  // PDU-054
  const Buffer bytes = Framed(Words({0, 0x7002, 0, 0, 0, 1, 0, 0x3f400000, 1, 1, 0, 2, 99}));
  EXPECT_EQ(Meaning(bytes, kV60),
            "PROFILE from=0 context=0 state=0 entries=[{253.0 state=1 instances=[2]}]");
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-054"_clause);
}

TEST(FetchTest, OfNothingDoesNotExist) {  // PDU-056, test idea T6
  EXPECT_EQ(Refusal(Fetch{}), "PDU-056"_clause);
  EXPECT_EQ(Refusal(HighresFetch{}), "PDU-056"_clause);
}

TEST(FetchTest, HasAsManyMetricsAsItSays) {  // PDU-056
  for (const std::uint32_t npmid : {1U, 3U}) {
    EXPECT_EQ(Fault(Words({36, 0x7003, 0, 5, 0, 0, npmid, 0x3f400000, 0x3f400001})).clause,
              "PDU-056"_clause);
  }
}

TEST(FetchTest, UnusedBytesDoNotMatter) {  // PDU-057
  const Buffer bytes = Words({32, 0x7003, 0, 5, 0xffffffff, 0xffffffff, 1, 0x3f400000});
  Decoder decoder;
  const auto pdu = decoder.Decode(bytes);
  ASSERT_TRUE(pdu);
  EXPECT_EQ(ToText(*pdu), "FETCH from=0 context=5 pmids=[253.0.0]");
  EXPECT_TRUE(decoder.departures().Has(Departure::kUnusedFields));
}

TEST(FetchTest, AClientsLargestHas16377Metrics) {  // PDU-005
  const std::vector<Pmid> pmids(16377, Pmid::Of(253, 0, 0));
  EXPECT_EQ(Encoded(Fetch{.pmids = pmids}).size(), 65536U);
}

TEST(DescIdsTest, LongerOnesAreTakenBy60Only) {  // PDU-059
  const Buffer bytes = Words({28, 0x7016, 0, 0xffffffff, 1, 0x3f400000, 0});
  EXPECT_EQ(Meaning(bytes, kV60), "DESC_IDS from=0 pmids=[253.0.0]");
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-059"_clause);
  EXPECT_EQ(Fault(Words({24, 0x7016, 0, 0, 1, 0x3f400000})).field, "status");
}

TEST(InstanceTest, AReplyByNameHasNoName) {  // PDU-062, test idea T20
  const InstanceEntry green = {1, ""};
  EXPECT_EQ(Encoded(Instance{Indom::Of(253, 0), {&green, 1}}),
            Words({0x1c, 0x7007, 0, 0x3f400000, 1, 1, 0}));
}

TEST(InstanceTest, NamesEndInThePdu) {  // PDU-063, test idea T21
  EXPECT_EQ(Fault(Words({28, 0x7007, 0, 0x3f400000, 1, 1, 0x7fffffff})).clause, "PDU-063"_clause);
  EXPECT_EQ(Fault(Words({28, 0x7007, 0, 0x3f400000, 1, 1, 0xffffffff})).clause, "PDU-063"_clause);
  EXPECT_EQ(Fault(Words({28, 0x7007, 0, 0x3f400000, 2, 1, 0})).field, "numinst");
}

TEST(InstanceTest, TheLastNameIsPaddedToo) {  // PDU-063
  Buffer bytes = Words({0, 0x7007, 0, 0x3f400000, 1, 7, 1});
  bytes.push_back('a');
  for (const Strictness* strictness : kStrictnesses) {
    EXPECT_EQ(Fault(Framed(bytes), *strictness).clause, "PDU-063"_clause) << strictness->version;
  }
}

TEST(InstanceTest, BytesBehindItAreTakenBy60Only) {  // PDU-063
  const Buffer bytes = Words({24, 0x7007, 0, 0x3f400000, 0, 0});
  EXPECT_EQ(Meaning(bytes, kV60), "INSTANCE from=0 indom=253.0 instances=[]");
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-063"_clause);
}

TEST(InstanceReqTest, WithoutANameBytesBehindItAreTakenByAll) {  // PDU-060
  const Buffer bytes = Words({36, 0x7006, 0, 0x3f400000, 0, 0, 1, 0, 7});
  for (const Strictness* strictness : kStrictnesses) {
    EXPECT_EQ(Meaning(bytes, *strictness), "INSTANCE_REQ from=0 indom=253.0 inst=1 name=''");
  }
}

TEST(TextTest, UnpaddedOnesAreTakenBy60Only) {  // PDU-067, test idea T43
  Buffer bytes = Words({0, 0x7009, 0, 0x0000403f, 3});
  bytes.insert(bytes.end(), {'a', 'b', 'c'});
  bytes = Framed(bytes);
  EXPECT_EQ(Meaning(bytes, kV60), "TEXT from=0 ident=0000403f text='abc'");
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-067"_clause);
}

TEST(TextTest, PaddingIsTheByte7eAndAnyOtherIsOverlooked) {  // PDU-010
  for (const std::uint32_t last : {0x61626300U, 0x61626341U, 0x6162637eU}) {
    Decoder decoder;
    ASSERT_TRUE(decoder.Decode(Words({24, 0x7009, 0, 1, 3, last})));
    EXPECT_EQ(decoder.departures().Has(Departure::kPadBytes), last != 0x6162637eU) << last;
  }
}

TEST(TextTest, BytesBehindThePaddingAreTakenByAll) {  // PDU-067
  const Buffer bytes = Words({28, 0x7009, 0, 1, 3, 0x6162637e, 0});
  for (const Strictness* strictness : kStrictnesses) {
    EXPECT_EQ(Meaning(bytes, *strictness), "TEXT from=0 ident=00000001 text='abc'");
  }
}

TEST(PmnsIdsTest, LongerOnesAreTakenBy60Only) {  // PDU-070
  const Buffer bytes = Words({28, 0x700d, 0, 0, 1, 0x3f400000, 0});
  EXPECT_EQ(Meaning(bytes, kV60), "PMNS_IDS from=0 status=0 pmids=[253.0.0]");
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-070"_clause);
}

// PMNS_NAMES of the names "ab" and "c".
Buffer TwoNames(std::uint32_t bytes, std::uint32_t statuses) {
  return Words({40, 0x700e, 0, bytes, statuses, 2, 2, 0x61627e7e, 1, 0x637e7e7e});
}

TEST(PmnsNamesTest, StatusIsForAllNamesOrNone) {  // PDU-069, test idea T25
  EXPECT_EQ(Meaning(TwoNames(5, 0)), "PMNS_NAMES from=0 names=['ab' 'c']");
  EXPECT_EQ(Fault(TwoNames(5, 1)).field, "numstatus");
}

TEST(PmnsNamesTest, TheNumberOfBytesMayBeTooLarge) {  // PDU-069, test idea T26
  EXPECT_EQ(Fault(TwoNames(4, 0)).field, "nstrbytes");
  EXPECT_EQ(Meaning(TwoNames(6, 0)), "PMNS_NAMES from=0 names=['ab' 'c']");
  EXPECT_EQ(Fault(TwoNames(41, 0)).field, "nstrbytes");
}

TEST(PmnsNamesTest, OfNoNamesTheOtherCountsMeanNothing) {  // PDU-069
  for (const Strictness* version : kStrictnesses) {
    EXPECT_EQ(Meaning(Words({24, 0x700e, 0, 0xffffffff, 0xffffffff, 0}), *version),
              "PMNS_NAMES from=0 names=[]");
    EXPECT_EQ(Meaning(Words({36, 0x700e, 0, 99, 5, 0, 2, 4, 0x61626364}), *version),
              "PMNS_NAMES from=0 names=[]");
  }
}

TEST(PmnsNamesTest, OneEmptyNameIsRefused) {  // PDU-069
  EXPECT_EQ(Fault(Words({28, 0x700e, 0, 1, 0, 1, 0})).field, "numnames");
  const PmnsName empty = {""};
  EXPECT_EQ(Refusal(PmnsNames{false, {&empty, 1}}), "PDU-069"_clause);
}

TEST(PmnsNamesTest, VersionsCountNamesInTwoWays) {  // PDU-069
  // 6.0.3: eight bytes are left from where each begins. Later ones: eight bytes for each, together.
  const Buffer short_names = Words({36, 0x700e, 0, 6, 0, 2, 0, 4, 0x61626364});
  EXPECT_EQ(Meaning(short_names, kV60), "PMNS_NAMES from=0 names=['' 'abcd']");
  EXPECT_EQ(Fault(short_names, kV63).field, "numnames");
  const Buffer empty_last = Words({40, 0x700e, 0, 10, 0, 2, 8, 0x61626364, 0x61626364, 0});
  EXPECT_EQ(Fault(empty_last, kV60).field, "namelen");
  EXPECT_EQ(Meaning(empty_last, kV63), "PMNS_NAMES from=0 names=['abcdabcd' '']");
}

TEST(PmnsNamesTest, AStatusNeedsAListThatHasThem) {  // PDU-069
  const PmnsName name = {"a", kNonLeaf};
  EXPECT_EQ(Refusal(PmnsNames{false, {&name, 1}}), "PDU-069"_clause);
  EXPECT_EQ(Refusal(PmnsNames{true, {}}), "PDU-069"_clause);
}

TEST(AttrTest, ValuesHaveAtMost4095Bytes) {  // PDU-072
  const std::string value(4096, 'x');
  EXPECT_EQ(Encoded(Attr{Attribute::kUserName, std::string_view(value).substr(1)}).size(), 4111U);
  EXPECT_EQ(Refusal(Attr{Attribute::kUserName, value}), "PDU-072"_clause);
}

// The label set of section 18.2 with another place of its text.
Buffer LabelAt(std::uint32_t json, std::uint32_t length) {
  Buffer bytes =
      Words({0, 0x7013, 0, 253, 2, 0, 1, 0xffffffff, 1, json, length, 0x00020402, 0x00080009});
  for (const char c : std::string_view("{\"role\":\"testing\"}")) {
    bytes.push_back(static_cast<std::uint8_t>(c));
  }
  return Framed(bytes);
}

TEST(LabelTest, IsNotPadded) {  // PDU-073, test idea T22
  const std::string_view json = "{\"role\":\"testing\"}";
  const LabelEntry role = {2, 4, 2, 8, 9};
  const LabelSet set = {.json = json, .labels = {&role, 1}};
  EXPECT_EQ(set.Name(role), "role");
  EXPECT_EQ(set.Value(role), "\"testing\"");
  const Buffer bytes = Encoded(Label{253, 2, {&set, 1}});
  EXPECT_EQ(bytes, LabelAt(0x34, 18));
  EXPECT_EQ(bytes.size(), 70U);
}

TEST(LabelTest, WithoutSetsWhateverFollowsIsIgnored) {  // PDU-074
  for (const Strictness* version : kStrictnesses) {
    EXPECT_EQ(Meaning(Words({36, 0x7013, 0, 0x3f400000, 16, 0, 0, 0x1248ab42, 7}), *version),
              Meaning(Words({28, 0x7013, 0, 0x3f400000, 16, 0, 0}), *version));
  }
}

TEST(LabelTest, TextsAreInsideThePdu) {  // PDU-074, test idea T23
  for (const Strictness* strictness : kStrictnesses) {
    EXPECT_EQ(Fault(LabelAt(27, 18), *strictness).field, "json");
    EXPECT_EQ(Fault(LabelAt(0xffffffff, 18), *strictness).field, "json");
    EXPECT_EQ(Fault(LabelAt(0x35, 18), *strictness).field, "jsonlen");
    EXPECT_EQ(Fault(LabelAt(0x34, 0xffffffff), *strictness).field, "jsonlen");
  }
}

TEST(LabelTest, LabelsOutsideTheirTextAreTakenBy60Only) {  // PDU-074
  const Buffer bytes = LabelAt(0x34, 16);
  Decoder decoder(kV60);
  const auto pdu = decoder.Decode(bytes);
  ASSERT_TRUE(pdu);
  const LabelSet& set = std::get<Label>(pdu->body).sets[0];
  EXPECT_EQ(set.Value(set.labels[0]), "") << "nothing outside the text is shown";
  EXPECT_TRUE(decoder.departures().Has(Departure::kLabelTexts));
  EXPECT_EQ(Fault(bytes, kV63).clause, "PDU-074"_clause);
}

TEST(LabelTest, FourBytesBehindTheTextAreTakenBy60Only) {  // PDU-074
  Buffer bytes = LabelAt(0x34, 18);
  bytes.resize(72);
  EXPECT_EQ(Meaning(Framed(bytes), kV63), Meaning(LabelAt(0x34, 18)));
  bytes.resize(73);
  EXPECT_EQ(Meaning(Framed(bytes), kV60), Meaning(LabelAt(0x34, 18)));
  EXPECT_EQ(Fault(Framed(bytes), kV63).clause, "PDU-074"_clause);
}

TEST(LabelTest, ASetMayBeAnError) {  // 4.12, test idea T24
  const Buffer bytes =
      Words({44, 0x7013, 0, 253, 2, 0, 1, 0xffffffff, static_cast<std::uint32_t>(-12410), 44, 0});
  EXPECT_EQ(Meaning(bytes), "LABEL from=0 ident=000000fd type=2 sets=[{-1 -12410 '' []}]");
}

TEST(LabelTest, OfMoreThan254LabelsIsRefused) {  // PDU-074
  const auto labels = [](std::uint32_t count) {
    Buffer bytes = Words({0, 0x7013, 0, 0, 1, 0, 1, 0xffffffff, count, 44 + 8 * count, 0});
    bytes.resize(bytes.size() + 8 * count);
    return Framed(bytes);
  };
  EXPECT_TRUE(Decoder().Decode(labels(254)));
  EXPECT_EQ(Fault(labels(255)).field, "nlabels");
}

// One label with a name of so many bytes in a text of so many.
Buffer LongLabel(std::uint32_t name, std::uint32_t text) {
  Buffer bytes = Words({0, 0x7013, 0, 0, 1, 0, 1, 0xffffffff, 1, 52, text, name << 8, 0});
  bytes.resize(bytes.size() + text);
  return Framed(bytes);
}

TEST(LabelTest, OfALongNameOrTextIsRefused) {  // PDU-074
  EXPECT_TRUE(Decoder().Decode(LongLabel(254, 65534)));
  EXPECT_EQ(Fault(LongLabel(255, 65534)).field, "name length");
  EXPECT_EQ(Fault(LongLabel(254, 65535)).field, "jsonlen");
}

TEST(LabelTest, HasItsLimits) {  // PDU-074
  const std::string json(65535, ' ');
  const LabelSet text = {.json = json};
  EXPECT_EQ(Refusal(Label{0, 1, {&text, 1}}), "PDU-074"_clause);
  const std::vector<LabelEntry> entries(255);
  const LabelSet many = {.labels = entries};
  EXPECT_EQ(Refusal(Label{0, 1, {&many, 1}}), "PDU-074"_clause);
  const LabelEntry name = {.name_length = 255};
  const LabelSet long_name = {.json = std::string_view(json).substr(1), .labels = {&name, 1}};
  EXPECT_EQ(Refusal(Label{0, 1, {&long_name, 1}}), "PDU-074"_clause);
}

TEST(PduTypeTest, HasTheNamesOfSection2) {
  EXPECT_EQ(ToText(PduType::kHighresResult), "HIGHRES_RESULT");
  EXPECT_EQ(ToText(PduType::kControlReq), "CONTROL_REQ");
  EXPECT_EQ(ToText(static_cast<PduType>(0x700b)), "type 0x700b");
}

TEST(PduTypeTest, AgentsAnswerTenTypesAndNoOther) {  // section 8, PMD-047, PMD-070..074
  std::string answered;
  for (std::int32_t type = 0x6ff0; type < 0x8010; ++type) {
    if (AgentAnswers(PduType{type})) answered += ToText(PduType{type}) + " ";
  }
  EXPECT_EQ(answered,
            "RESULT FETCH DESC_REQ INSTANCE_REQ TEXT_REQ PMNS_IDS PMNS_NAMES PMNS_CHILD "
            "PMNS_TRAVERSE LABEL_REQ ");
}

TEST(DepartureTest, ThatIsOverlookedHasAClause) {
  EXPECT_EQ(ClauseOf(Departure::kTrailingBytes, PduType::kLabel), "PDU-074"_clause);
  EXPECT_EQ(ClauseOf(Departure::kPadBytes, PduType::kLabel), "PDU-010"_clause);
}

}  // namespace
}  // namespace pmproof::pdu
