// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/pmda/names/help_source.h"
#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/pmns_source.h"

namespace pmproof::pmda {
namespace {

using testing::HasSubstr;

const Pmid kNumfetch = Pmid::Of(253, 0, 0);
const Pmid kColor = Pmid::Of(253, 0, 1);

const NameTree& Names() {
  static const NameTree kNames =
      ReadPmns(
          "root { simple s2 }\n"
          "simple { numfetch 253:0:0 color 253:0:1 time dyn 253:*:* dup 253:0:0 }\n"
          "simple.time { user 253:1:2 }\ns2 { a 29:3:7 b 30:0:1 }\n",
          "pmns")
          ->names;
  return kNames;
}

HelpSource Read(std::string_view text, const HelpLimits& limits = HelpLimits::UpTo638()) {
  return ReadHelpSource(text, "help", Names(), limits);
}

// "253.0.1|one line|full" for each entry in order, on lines of their own.
std::string Entries(const HelpSource& source) {
  std::string text;
  for (const HelpEntry& entry : source.entries) {
    if (!text.empty()) text += ";";
    text += std::visit([](const auto& id) { return ToText(id); }, entry.id);
    text += "|" + entry.one_line + "|" + entry.full;
  }
  return text;
}

std::string Problems(const HelpSource& source) {
  std::string text = std::to_string(source.status);
  for (const Diagnosis& problem : source.problems) text += "\n" + problem.ToText();
  return text;
}

std::string Pag(std::string_view text) { return CompileHelp(Read(text).entries).pag; }

TEST(HelpSource, HasAOneLineAndAFullText) {  // PMD-310
  const HelpSource source = Read(
      "@ simple.numfetch one line\nfull text\nmore\n\n@ 253.0.1 The colour\nfull\n"
      "@ 253.0 indom\n@ s2.a\nonly full\n");
  EXPECT_EQ(
      Entries(source),
      "253.0.0|one line|full text\nmore;253.0.1|The colour|full;253.0|indom|;29.3.7||only full");
  EXPECT_EQ(Problems(source), "0");
}

TEST(HelpSource, AllowsBlanksAroundAnIdentifier) {  // PMD-310
  EXPECT_EQ(Entries(Read("@simple.color glued\n@\t \fsimple.color\v\t text  \n  y  \n")),
            "253.0.1|glued|;253.0.1|text  |  y  ");
  EXPECT_EQ(Entries(Read("@ simple.color x\n @ no entry\n")), "253.0.1|x| @ no entry");
  EXPECT_EQ(Entries(Read("@ simple.color x\r\nfull\r\n")), "253.0.1|x\r|full\r");
}

TEST(HelpSource, LooksNamesUp) {  // PMD-310, PMD-303
  EXPECT_EQ(Entries(Read("@ simple.dyn x\n@ simple.dup y\n")), "253.*.*|x|;253.0.0|y|");
  EXPECT_EQ(
      Problems(Read("@ simple.nosuch x\ny\n@ simple.time z\n@ 253 a\n@ root b\n")),
      "2\nhelp:1: simple.nosuch is not a metric: the entry is dropped [PMD-310]\n"
      "help:3: simple.time is not a metric but an inner node: the entry is dropped [PMD-310]\n"
      "help:4: 253 is not a metric: the entry is dropped [PMD-310]\n"
      "help:5: root is not a metric: the entry is dropped [PMD-310]");
}

TEST(HelpSource, NeedsAnIdentifier) {  // PMD-310
  const HelpSource source = Read("@\n@ \nx\n@ simple.color ok\n");
  EXPECT_EQ(Entries(source), "253.0.1|ok|");
  EXPECT_EQ(Read("@\n" + std::string(2000, 'x') + "\n@ simple.color ok\n").entries.size(), 1U);
  EXPECT_EQ(Problems(source),
            "1\nhelp:1: an entry without identifier is dropped [PMD-310]\n"
            "help:2: an entry without identifier is dropped [PMD-310]");
}

TEST(HelpSource, TakesNumbersAsNewhelpDoes) {  // PMD-310
  const HelpSource source = Read(
      "@ 253.0.1.2 a\n@ 512.0 b\n@ 253.99999999 c\n@ 253.4096.5 d\n@ 253.1x e\n@ -1.2 f\n"
      "@ 99999999999999999999.1 g\n");
  EXPECT_EQ(Entries(source),
            "253.0.1|a|;0.0|b|;253.3531007|c|;253.0.5|d|;253.1|e|;511.2|f|;511.1|g|");
  EXPECT_EQ(source.status, 0);
  EXPECT_EQ(source.problems.size(), 7U);
  EXPECT_EQ(source.problems[1].ToText(), "help:2: warning: 512.0 is taken for 0.0 [PMD-310]");
}

TEST(HelpSource, HasComments) {  // PMD-311
  const HelpSource source = Read(
      "# first\nbefore an entry\n@ simple.color x\n\n\n#comment\n a\n# comment @ simple.color "
      "y\n\n\n");
  EXPECT_EQ(Entries(source), "253.0.1|x|\n\n a");
  EXPECT_EQ(Problems(source), "0");
  EXPECT_EQ(Entries(Read("")), "");
  EXPECT_EQ(Entries(Read("@ simple.color x\n\n \n\t\nlast \n \n\n")),
            "253.0.1|x|\n \n\t\nlast \n ");
}

TEST(HelpSource, SplitsLongLines) {  // PMD-312, T46
  const std::string line126 = "@ simple.color " + std::string(111, 'x');
  EXPECT_EQ(Problems(Read(line126 + "\nfull\n")), "0");
  const HelpSource split = Read(line126 + "y\nfull\n");
  EXPECT_EQ(split.status, 1);
  EXPECT_EQ(Entries(split), "253.0.1|" + std::string(111, 'x') + "y|\nfull");
  EXPECT_EQ(split.problems[0].ToText(),
            "help:1: a line longer than 126 bytes, with a NUL byte, or without newline is split "
            "[PMD-312]");
  EXPECT_EQ(Problems(Read(line126 + "yy\nfull\n", HelpLimits::From72())), "0");
  EXPECT_EQ(Read("@ simple.color " + std::string(1008, 'x') + "\n", HelpLimits::From72()).status,
            1);
}

TEST(HelpSource, NeedsANewlineAtItsEnd) {  // PMD-312
  const HelpSource source = Read("@ simple.color x\ny");
  EXPECT_EQ(Entries(source), "253.0.1|x|y");
  EXPECT_EQ(source.status, 1);
}

TEST(HelpSource, LosesWhatFollowsANulByte) {  // PMD-312
  EXPECT_EQ(Entries(Read(std::string_view("@ simple.color x\n\0a\nb\0c\nd\n", 26))),
            "253.0.1|x|b\nd");
}

TEST(HelpSource, CutsLongEntries) {  // PMD-312, T46
  // "simple.color x" and newline have 15 bytes.
  const auto with_body = [](std::size_t size) {
    std::string text = "@ simple.color x\n";
    for (; size > 100; size -= 100) text += std::string(99, 'y') + "\n";
    return text + std::string(size - 1, 'z') + "\n@ simple.numfetch a\n@ s2.a b\n";
  };
  const HelpSource fits = Read(with_body(1009));
  EXPECT_EQ(Problems(fits), "0");
  EXPECT_EQ(fits.entries.size(), 3U);
  const HelpSource cut = Read(with_body(1010));
  EXPECT_EQ(Problems(cut),
            "1\nhelp:12: the entry is longer than 1024 bytes and is cut [PMD-312]\n"
            "help:13: the entry after one that was cut is lost [PMD-312]");
  ASSERT_EQ(cut.entries.size(), 2U);
  EXPECT_EQ(cut.entries[0].full.size(), 1007U);
  EXPECT_EQ(cut.entries[1].identifier, "s2.a");
  EXPECT_EQ(Problems(Read(with_body(2033), HelpLimits::From72())), "0");
  EXPECT_EQ(Read(with_body(2034), HelpLimits::From72()).status, 1);
}

TEST(HelpSource, NoticesFewDoubles) {  // PMD-312
  EXPECT_EQ(Problems(Read("@ simple.color x\n@ simple.color y\n")),
            "0\nhelp:2: warning: simple.color has an entry already [PMD-312]");
  EXPECT_EQ(Problems(Read("@ 253.0.0 a\n@ 253.0.1 b\n@ 253.0.1 c\n")),
            "2\nhelp:3: 253.0.1 is that of the entry before: the entry is dropped [PMD-312]");
  EXPECT_EQ(Entries(Read("@ 253.0.0 a\n@ 253.0.1 b\n@ simple.nosuch c\n@ simple.color d\n")),
            "253.0.0|a|;253.0.1|b|");
  EXPECT_EQ(Read("@ 253.0.1 a\n@ 253.0.1 b\n").status, 0);
}

TEST(HelpSource, TellsSoMuchAndNoMore) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "@\n";
  const HelpSource source = Read(text);
  ASSERT_EQ(source.problems.size(), kMostDiagnoses + 1);
  EXPECT_EQ(source.problems.back().ToText(), "help:1001: this and further problems are not told");
}

TEST(CompileHelp, WritesTextsInOrderAndADirectorySortedByIdentifier) {  // PMD-314
  const HelpSource source = Read("@ 253.0 indom\nfull\n# x\nmore\n@ 253.0.1 one\nf\n@ s2.a\n");
  const CompiledHelp files = CompileHelp(source.entries, std::endian::little);
  EXPECT_EQ(files.pag, std::string("PcPh22\n\n@ 253.0 indom\0full\nmore\0\n@ 253.0.1 one\0f\0"
                                   "\n@ s2.a \0\0",
                                   59));
  const auto word = [](std::uint32_t value) {
    return std::string(reinterpret_cast<const char*>(&value), 4);
  };
  EXPECT_EQ(files.dir, word(0x50635068) + word(0x31320000) + word(3) +  //
                           word(0x3f400001) + word(43) + word(47) +     //
                           word(0x07400c07) + word(57) + word(58) +     //
                           word(0xbf400000) + word(16) + word(22));
  EXPECT_EQ(CompileHelp({}, std::endian::big).dir, std::string("PcPh12\0\0\0\0\0\0", 12));
  EXPECT_EQ(Pag(""), "PcPh22\n");
}

TEST(CompileHelp, KeepsTheOrderOfEqualKeys) {  // PMD-314
  const HelpSource source =
      Read("@ s2.b a\n@ simple.color b\n@ 30.0 c\n@ 29.0 d\n@ simple.color e\n@ 253.0.0 f\n");
  const std::string dir = CompileHelp(source.entries, std::endian::big).dir;
  std::string ids;
  for (std::size_t at = 12; at < dir.size(); at += 12) {
    ids += " " + std::to_string(LoadU32(reinterpret_cast<const std::uint8_t*>(dir.data()) + at));
  }
  const auto text = [](std::uint32_t id) { return " " + std::to_string(id); };
  EXPECT_EQ(ids, text(0x3f400000) + text(0x07800001) + text(0x3f400001) + text(0x3f400001) +
                     text(0x87800000) + text(0x87400000));
}

HelpTable TableOf(std::string_view text) {
  return *HelpTable::Read(CompileHelp(Read(text).entries), "help");
}

TEST(HelpTable, GivesBothTexts) {  // PMD-315, PDU-065
  const HelpTable table = TableOf("@ simple.color one\nfull\n@ 253.0 indom\n@ s2.a\nonly full\n");
  EXPECT_EQ(*table.Find(kColor, kTextOneLine), "one");
  EXPECT_EQ(*table.Find(kColor, kTextHelp), "full");
  EXPECT_EQ(*table.Find(kColor, kTextOneLine | kTextHelp), "one");
  EXPECT_EQ(*table.Find(kColor, 0), "full");
  EXPECT_EQ(*table.Find(Indom::Of(253, 0), kTextOneLine), "indom");
  EXPECT_EQ(*table.Find(Indom::Of(253, 0), kTextHelp), "");
  EXPECT_EQ(*table.Find(Pmid::Of(29, 3, 7), kTextOneLine), "");
  EXPECT_EQ(table.Find(kNumfetch, kTextHelp).error(), kNoText);
  EXPECT_EQ(table.Find(Indom{kColor.value}, kTextHelp).error(), kNoText);
  EXPECT_EQ(table.size(), 3U);
}

TEST(HelpTable, GivesTheFirstOfDoubles) {  // PMD-315
  const HelpTable table = TableOf("@ s2.a x\n@ simple.color first\n@ simple.color second\n");
  EXPECT_EQ(*table.Find(kColor, kTextOneLine), "first");
}

TEST(HelpTable, HasTextsOfItsDomainsOnly) {  // PMD-315
  const HelpTable table = TableOf("@ simple.color one\n@ 253.5 indom\n");
  EXPECT_EQ(table.Find(Pmid::Of(77, 0, 1), kTextOneLine).error(), kNoText);
  const HelpTable other = table.WithDomain(77);
  EXPECT_EQ(*other.Find(Pmid::Of(77, 0, 1), kTextOneLine), "one");
  EXPECT_EQ(*other.Find(Indom::Of(77, 5), kTextOneLine), "indom");
  EXPECT_EQ(other.Find(kColor, kTextOneLine).error(), kNoText);
}

TEST(HelpTable, IsMadeInCodeToo) {
  const std::vector<HelpEntry> entries = {{kColor, "simple.color", "one", "full"},
                                          {kColor, "simple.color", "two", ""}};
  const HelpTable table(entries);
  EXPECT_EQ(*table.Find(kColor, kTextOneLine), "one");
  EXPECT_EQ(*table.Find(kColor, kTextHelp), "full");
}

class DamagedHelp : public testing::Test {
 protected:
  // The error of reading the two files after a change.
  std::string ErrorOf(void (*damage)(CompiledHelp&)) {
    CompiledHelp files = CompileHelp(Read("@ simple.color one\nfull\n@ 253.0 indom\n").entries);
    damage(files);
    const auto table = HelpTable::Read(files, "help");
    return table ? "none" : table.error().ToText();
  }
};

TEST_F(DamagedHelp, IsRefusedWithItsPlace) {  // PMD-314
  EXPECT_EQ(ErrorOf([](CompiledHelp&) {}), "none");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.dir.clear(); }),
            "help.dir: offset 0: shorter than its header [PMD-314]");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.dir[0] ^= 1; }),
            "help.dir: offset 0: not a help directory: no PcPh at the beginning [PMD-314]");
  EXPECT_EQ(
      ErrorOf([](CompiledHelp& help) { std::reverse(help.dir.begin(), help.dir.begin() + 4); }),
      "help.dir: offset 0: written on a host of another byte order [PMD-314]");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.dir[4] ^= 1; }),
            "help.dir: offset 4: not version 12 of a help directory [PMD-314]");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.dir.resize(35); }),
            "help.dir: offset 8: 2 entries do not fit into 35 bytes [PMD-314]");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.pag[2] = 'x'; }),
            "help.pag: offset 0: not a file of help texts: no PcPh22 at the beginning [PMD-314]");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.dir[18] = '\x7f'; }),
            "help.dir: offset 16: no text at offset 8323095 of help.pag [PMD-314]");
  EXPECT_EQ(ErrorOf([](CompiledHelp& help) { help.dir[20] = '\0'; }),
            "help.dir: offset 20: no text at offset 0 of help.pag [PMD-314]");
  EXPECT_THAT(ErrorOf([](CompiledHelp& help) { help.pag.resize(20); }), HasSubstr("no text at"));
}

rc::Gen<std::string> LineText() {
  return rc::gen::map(
      rc::gen::container<std::string>(rc::gen::element('a', 'B', ' ', '\t', '#', '@', '.', '\xe9')),
      [](const std::string& text) { return text.substr(0, 80); });
}

// An entry as a source can have it, and its source.
std::pair<HelpEntry, std::string> ArbitraryEntry() {
  const auto raw = *rc::gen::arbitrary<std::uint32_t>();
  HelpEntry entry;
  if (*rc::gen::arbitrary<bool>()) {
    entry.id = Pmid::Of(raw >> 22, raw >> 10, raw);
    entry.identifier = std::to_string(raw >> 22 & 0x1ff) + "." + std::to_string(raw >> 10 & 0xfff) +
                       "." + std::to_string(raw & 0x3ff);
  } else {
    entry.id = Indom::Of(raw >> 22, raw);
    entry.identifier = ToText(Indom::Of(raw >> 22, raw));
  }
  std::string one_line = *LineText();
  one_line.erase(0, one_line.find_first_not_of(" \t"));
  entry.one_line = one_line;
  std::string source = "@ " + entry.identifier + " " + one_line + "\n";
  const auto lines = *rc::gen::container<std::vector<std::string>>(LineText());
  for (std::size_t i = 0; i < lines.size() && i < 10; ++i) {
    if (lines[i].starts_with('@') || lines[i].starts_with('#')) continue;
    entry.full += lines[i] + "\n";
  }
  source += entry.full + *rc::gen::element<std::string>("", "\n", "# comment\n", "\n\n");
  while (entry.full.ends_with('\n')) entry.full.pop_back();
  return {entry, source};
}

RC_GTEST_PROP(HelpProperty, TextsAreReadAsTheyWereWrittenFromSourceToCompiled, ()) {
  std::vector<HelpEntry> entries;
  std::string text = "comment\n";
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, 20);
  for (std::size_t i = 0; i < count; ++i) {
    auto [entry, source] = ArbitraryEntry();
    entries.push_back(entry);
    text += source;
  }
  const HelpSource source = ReadHelpSource(text, "help", NameTree());
  RC_PRE(source.status == 0);
  RC_ASSERT(source.entries == entries);
  const auto table = HelpTable::Read(CompileHelp(entries), "help");
  RC_ASSERT(table.has_value());
  const HelpTable direct(entries);
  for (const HelpEntry& entry : entries) {
    for (const std::uint32_t request : {kTextOneLine, kTextHelp}) {
      RC_ASSERT(*table->Find(entry.id, request) == *direct.Find(entry.id, request));
    }
  }
}

RC_GTEST_PROP(HelpProperty, AnyTextCompilesToHelpThatIsRead, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "@", "@ ", "simple.color", "253.0.1", "253.0", " ", "\n", "\n", "#", "x", "\\", ".", "9",
      std::string(1, '\0'), std::string(130, 'y')));
  std::string text;
  for (const std::string& word : words) text += word;
  const HelpSource source = Read(text);
  RC_ASSERT(source.status == 0 || !source.problems.empty());
  const auto table = HelpTable::Read(CompileHelp(source.entries), "help");
  RC_ASSERT(table.has_value());
  RC_ASSERT(table->size() == source.entries.size());
}

// Whatever the octets, there is a table or an error, and every text found ends inside the file.
RC_GTEST_PROP(HelpProperty, DamagedCompiledHelpIsReadOrRefused, (std::uint32_t random)) {
  CompiledHelp files = CompileHelp(Read("@ simple.color one\nfull\n@ 253.0 indom\n").entries);
  std::string& file = random % 2 == 0 ? files.dir : files.pag;
  const std::size_t at = random / 2 % file.size();
  file[at] = static_cast<char>(random >> 24);
  const auto table = HelpTable::Read(files, "help");
  if (!table) {
    RC_ASSERT(table.error().clause == "PMD-314"_clause);
    return;
  }
  if (const auto text = table->Find(kColor, kTextHelp)) RC_ASSERT(text->size() < 100);
}

}  // namespace
}  // namespace pmproof::pmda
