// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/testing/vector_file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "reference/pmda/pdu/vectors.h"

namespace pmproof::pdu {
namespace {

[[noreturn]] void Stop(std::string_view file, std::string_view line) {
  std::fprintf(stderr, "%.*s: cannot read: %.*s\n", static_cast<int>(file.size()), file.data(),
               static_cast<int>(line.size()), line.data());
  std::abort();
}

// "00000014 PPPPPPPP 6100", "00001398 + 5000 x 78"
bool AppendHex(const std::string& line, std::vector<std::uint8_t>* bytes) {
  std::istringstream words(line);
  std::string word;
  while (words >> word) {
    if (word == "+") {
      std::size_t times = 0;
      std::string sign, byte;
      if (!(words >> times >> sign >> byte) || sign != "x") return false;
      bytes->insert(bytes->end(), times, static_cast<std::uint8_t>(std::stoul(byte, nullptr, 16)));
      continue;
    }
    if (word == "PPPPPPPP") word = "00002b23";
    if (word.size() % 2 != 0 || word.find_first_not_of("0123456789abcdef") != word.npos) {
      return false;
    }
    for (std::size_t i = 0; i < word.size(); i += 2) {
      bytes->push_back(static_cast<std::uint8_t>(std::stoul(word.substr(i, 2), nullptr, 16)));
    }
  }
  return true;
}

Expectation ReadExpectation(const std::string& line) {
  Expectation expectation = {.kind = line[0], .text = line.substr(2)};
  if (!expectation.text.starts_with('[')) return expectation;
  const std::size_t close = expectation.text.find("] ");
  std::istringstream versions(expectation.text.substr(1, close - 1));
  for (std::string version; versions >> version;) expectation.versions.push_back(version);
  expectation.text.erase(0, close + 2);
  return expectation;
}

void ReadFile(std::string_view path, std::string_view content, std::vector<TestVector>* vectors) {
  std::istringstream lines{std::string(content)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("18.")) {
      const std::size_t blank = line.find(' ');
      if (blank == line.npos) Stop(path, line);
      vectors->push_back({.id = line.substr(0, blank), .title = line.substr(blank + 1)});
    } else if (vectors->empty()) {
      Stop(path, line);
    } else if (line.starts_with("  ")) {
      if (!AppendHex(line, &vectors->back().bytes)) Stop(path, line);
    } else if (line.size() > 2 && std::string_view("=!~").find(line[0]) != line.npos) {
      vectors->back().expectations.push_back(ReadExpectation(line));
    } else {
      Stop(path, line);
    }
  }
}

}  // namespace

bool Expectation::AppliesTo(std::string_view version) const {
  return versions.empty() || std::ranges::find(versions, version) != versions.end();
}

std::vector<std::string> TestVector::Texts(char kind, std::string_view version) const {
  std::vector<std::string> texts;
  for (const Expectation& expectation : expectations) {
    if (expectation.kind == kind && expectation.AppliesTo(version)) {
      texts.push_back(expectation.text);
    }
  }
  return texts;
}

std::vector<TestVector> LoadTestVectors() {
  std::vector<TestVector> vectors;
  for (const EmbeddedFile& file : pdu::vectors()) ReadFile(file.path, file.content, &vectors);
  return vectors;
}

}  // namespace pmproof::pdu
