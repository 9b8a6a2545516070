// SPDX-License-Identifier: Apache-2.0
// Reads name spaces, help texts and pmcd.conf as the reference does, for comparison with PCP's own
// programs:
//
//   answer pmns many|one FILE...        a block for each file, as of libpcp_program.py
//   answer help PMNS 6.0.3|7.2 SOURCE OUT  writes OUT.dir and OUT.pag; ends with newhelp's status
//   answer conf FILE...                 a line for each: the numbers of the lines that have errors
//   answer commands FILE                the commands of pipe agents, a line each, words followed by
//   "|" answer register PACKAGED LOCAL      the number of entries, then the problems
//
// "many" and "one" say how many names a PMID may have.

#include <fstream>
#include <iomanip>
#include <iostream>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "reference/pmda/names/domain_register.h"
#include "reference/pmda/names/help_source.h"
#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/pmcd_conf.h"
#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/names/text_file.h"

namespace pmproof::pmda {
namespace {

constexpr int kUsage = 64;
constexpr int kUnreadable = 66;

void ShowTree(const NameTree& names) {
  const auto leaves = *names.Traverse("");
  std::vector<std::string> inner = {""};
  for (const NameTree::Leaf& leaf : leaves) {
    std::cout << leaf.name << " " << std::hex << std::setw(8) << std::setfill('0')
              << leaf.pmid.value << std::dec << "\n";
  }
  while (!inner.empty()) {
    const std::string node = inner.back();
    inner.pop_back();
    const auto children = *names.Children(node);
    std::cout << "children " << node << ":";
    for (const NameTree::Child& child : children) {
      std::cout << " " << child.name << "/" << (child.leaf ? 0 : 1);
      if (!child.leaf) inner.push_back((node.empty() ? "" : node + ".") + std::string(child.name));
    }
    std::cout << "\n";
  }
}

int AnswerPmns(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::cout << "=== " << words[i] << "\n";
    const auto source =
        ReadPmnsFile(words[i], {}, words[0] == "one" ? PmidNames::kOne : PmidNames::kMany);
    std::cout << "load " << (source ? 0 : -12346) << "\n";
    if (source) {
      ShowTree(source->names);
    } else {
      std::cerr << source.error().ToText() << "\n";
    }
  }
  return 0;
}

int AnswerHelp(const std::vector<std::string>& words) {
  const auto names = ReadPmnsFile(words[0]);
  const auto text = ReadTextFile(words[2]);
  if (!names || !text) {
    std::cerr << (names ? text.error() : names.error().ToText()) << "\n";
    return kUnreadable;
  }
  const HelpSource source =
      ReadHelpSource(*text, words[2], names->names,
                     words[1] == "7.2" ? HelpLimits::From72() : HelpLimits::UpTo638());
  for (const Diagnosis& problem : source.problems) std::cerr << problem.ToText() << "\n";
  const CompiledHelp files = CompileHelp(source.entries);
  std::ofstream(words[3] + ".dir", std::ios::binary) << files.dir;
  std::ofstream(words[3] + ".pag", std::ios::binary) << files.pag;
  return source.status;
}

int AnswerConf(const std::vector<std::string>& words) {
  for (const std::string& file : words) {
    const auto text = ReadTextFile(file);
    if (!text) return kUnreadable;
    const PmcdConf conf = ReadPmcdConf(*text, file);
    std::set<std::size_t> lines;
    for (const Diagnosis& problem : conf.problems) {
      std::cerr << problem.ToText() << "\n";
      lines.insert(problem.line);
    }
    std::cout << file << ":";
    for (const std::size_t line : lines) std::cout << " " << line;
    std::cout << "\n";
  }
  return 0;
}

int AnswerCommands(const std::vector<std::string>& words) {
  const auto text = ReadTextFile(words[0]);
  if (!text) return kUnreadable;
  const PmcdConf conf = ReadPmcdConf(*text, words[0]);
  for (const ConfAgent& agent : conf.agents) {
    const auto* pipe = std::get_if<PipeAgent>(&agent.kind);
    if (pipe == nullptr) continue;
    for (const std::string& word : pipe->command) std::cout << word << "|";
    std::cout << "\n";
  }
  return 0;
}

int AnswerRegister(const std::vector<std::string>& words) {
  DomainRegister domains;
  std::vector<Diagnosis> problems;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto text = ReadTextFile(words[i]);
    if (!text) return kUnreadable;
    for (Diagnosis& problem : domains.Add(*text, words[i], i == 1)) {
      problems.push_back(std::move(problem));
    }
  }
  std::cout << domains.size() << "\n";
  for (const Diagnosis& problem : problems) std::cout << problem.ToText() << "\n";
  return 0;
}

int Answer(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  const std::vector<std::string> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (what == "pmns" && rest.size() > 1) return AnswerPmns(rest);
  if (what == "help" && rest.size() == 4) return AnswerHelp(rest);
  if (what == "conf") return AnswerConf(rest);
  if (what == "commands" && rest.size() == 1) return AnswerCommands(rest);
  if (what == "register" && rest.size() == 2) return AnswerRegister(rest);
  std::cerr << "answer: see answer.cc\n";
  return kUsage;
}

}  // namespace
}  // namespace pmproof::pmda

int main(int argc, char** argv) {
  return pmproof::pmda::Answer(std::vector<std::string>(argv + 1, argv + argc));
}
