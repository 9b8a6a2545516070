// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/agent_pmns.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace pmproof::pmda {
namespace {

class AgentPmnsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      std::filesystem::remove_all(file.path());
    }
  }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  // "a.b 1.2.3" for each name, "unknown SYMBOL", then the warnings; or the error.
  std::string Read(const std::string& name, const AgentPmnsReading& reading = {}) const {
    const auto agent = ReadAgentPmns(folder_ / name, reading);
    const auto without_folder = [this](std::string line) {
      const std::string prefix = folder_.string() + "/";
      return line.starts_with(prefix) ? line.substr(prefix.size()) : line;
    };
    if (!agent) return without_folder(agent.error().ToText());
    std::string text;
    const auto leaves = *agent->names.Traverse("");
    for (const NameTree::Leaf& leaf : leaves) {
      text += (text.empty() ? "" : ", ") + leaf.name + " " + ToText(leaf.pmid);
    }
    if (!agent->symbol.empty()) text += ", unknown " + agent->symbol;
    for (const Diagnosis& warning : agent->warnings) {
      text += "\n" + without_folder(warning.ToText());
    }
    return text;
  }

  const std::filesystem::path folder_ = std::filesystem::path(std::getenv("TEST_TMPDIR")) / "agent";
};

constexpr const char* kPmns = "box {\n size BOX:0:0\n lid\n}\nbox.lid { open BOX : 0:1 }\n";

TEST_F(AgentPmnsTest, TheSymbolIsThatOfDomainH) {  // PMD-330, PMD-332
  Write("pmns", kPmns);
  Write("domain.h", "/* The domain. */\n#ifndef BOX_H\n#define BOX_H\n#define BOX 77\n#endif\n");
  EXPECT_EQ(Read("pmns"), "box.size 77.0.0, box.lid.open 77.0.1");
  EXPECT_EQ(Read("pmns", {.domain = 9}), "box.size 9.0.0, box.lid.open 9.0.1");
}

TEST_F(AgentPmnsTest, EntriesMayStandOutsideOfAllNodes) {  // PMD-330
  Write("pmns", "  box BOX:*:*\nlid { open BOX:0:1 }\nhinge BOX:0:2\n");
  EXPECT_EQ(Read("pmns", {.domain = 9}), "box 9.*.*, lid.open 9.0.1, hinge 9.0.2");
  Write("twice", "box BOX:*:*\nbox BOX:0:1\n");
  EXPECT_EQ(Read("twice"), "twice:2: node box is there twice [PMD-301]");
  Write("root", "root { lid }\nbox 9:*:*\nlid { open 9:0:1 }\n");
  EXPECT_EQ(Read("root"), "root:2: node box is not below root [PMD-301]");
}

TEST_F(AgentPmnsTest, WithoutDomainHTheWordIsTheSymbol) {  // PMD-332
  Write("pmns", kPmns);
  EXPECT_EQ(Read("pmns", {.domain = 9}), "box.size 9.0.0, box.lid.open 9.0.1");
  EXPECT_EQ(Read("pmns"), "box.size 0.0.0, box.lid.open 0.0.1, unknown BOX");
  Write("live", "box {\n live BOX:*:*\n}\n");
  EXPECT_EQ(Read("live", {.domain = 9}), "box.live 9.*.*");
  Write("two", "box {\n a BOX:0:0\n b LID:0:0\n}\n");
  EXPECT_EQ(Read("two", {.domain = 9}),
            "two:3: BOX and LID stand for domains, and nothing defines them [PMD-332]");
  Write("number", "box {\n a 5:0:0\n}\n");
  EXPECT_EQ(Read("number", {.domain = 9}), "box.a 5.0.0");
}

TEST_F(AgentPmnsTest, RootIncludesTheOthers) {  // PMD-306, PMD-330
  Write("pmns", kPmns);
  const std::string root = "root { box }\n#include \"pmns\"\n";
  Write("root", "#define BOX 77\n" + root);
  EXPECT_EQ(Read("root"), "box.size 77.0.0, box.lid.open 77.0.1");
  EXPECT_EQ(Read("root", {.domain = 77}), "box.size 77.0.0, box.lid.open 77.0.1");
  Write("domain.h", "#define BOX 78\n");
  EXPECT_EQ(Read("root"), "box.size 78.0.0, box.lid.open 78.0.1");
}

TEST_F(AgentPmnsTest, StdpmidMayBeElsewhereOrNowhere) {  // PMD-306
  Write("pmns", kPmns);
  Write("root", "#include <stdpmid>\nroot { box }\n#include \"pmns\"\n");
  EXPECT_EQ(Read("root", {.domain = 9}),
            "box.size 9.0.0, box.lid.open 9.0.1\n"
            "root: warning: stdpmid is not found: no domain is known by it [PMD-306]");
  std::filesystem::create_directory(folder_ / "var");
  Write("var/stdpmid", "#define BOX 80\n#define OTHER 81\n");
  EXPECT_EQ(Read("root", {.folders = {folder_ / "var"}}), "box.size 80.0.0, box.lid.open 80.0.1");
  Write("other", "#include \"nothing\"\n");
  EXPECT_EQ(Read("other"), "other:1: cannot include nothing: No such file or directory [PMD-306]");
}

TEST_F(AgentPmnsTest, NodesAtTheTopAreThoseBelowNoOther) {  // PMD-300, PMD-301
  Write("pmns", "a.b {\n c 1:0:1\n}\nd { e 1:0:2 }\na.b { f 1:0:3 }\n");
  EXPECT_EQ(Read("pmns"), "pmns:5: node a.b is there twice [PMD-301]");
  Write("pmns", "a.b {\n c 1:0:1\n}\nd { e 1:0:2 }\n");
  EXPECT_EQ(Read("pmns"), "a.b.c 1.0.1, d.e 1.0.2");
  Write("pmns", "a { b 1:0:1 }\na.b { c 1:0:2 }\n");
  EXPECT_EQ(Read("pmns"), "pmns:2: a.b.c is a name, or below one, already [PMD-301]");
  Write("pmns", "a {\n b\n}\n");
  EXPECT_EQ(Read("pmns"), "pmns:2: non-leaf a.b has no node [PMD-301]");
  Write("pmns", "/* nothing */\n");
  EXPECT_EQ(Read("pmns"), "pmns: there is no node root [PMD-300]");
}

}  // namespace
}  // namespace pmproof::pmda
