// SPDX-License-Identifier: Apache-2.0
// What the reference makes of configuration files of derived metrics.
//
//     says DIALECT < FILES
//
// For each file named on standard input a line: the number of definitions, what is said in hex, and
// for each definition NAME:ONELINE:HELPTEXT in hex, "-" for what there is none of (DER-309).

#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "reference/derived/configuration.h"

namespace pmproof::derived {
namespace {

std::string Hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    hex += {kDigits[byte >> 4], kDigits[byte & 0xf]};
  }
  return hex;
}

std::string HexOrNone(const std::optional<std::string>& text) { return text ? Hex(*text) : "-"; }

class Said final : public ConfigurationListener {
 public:
  void OnDefinition(const Definition&, std::string_view, std::uint64_t) override {}
  void OnProblem(const ConfigurationProblem& problem) override { text += ToText(problem); }

  std::string text;
};

void Say(const std::string& path, const Dialect& dialect) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Registry registry(Registry::Scope::kGlobal, dialect);
  Controls controls;
  Said said;
  std::cout << LoadConfiguration(text, path, {&registry, &controls}, said) << ' ' << Hex(said.text);
  for (const auto& [name, definition] : registry.definitions()) {
    const std::optional<std::string>& oneline = definition->oneline;
    std::cout << ' ' << Hex(name) << ':' << HexOrNone(oneline) << ':'
              << HexOrNone(definition->helptext ? definition->helptext : oneline);
  }
  std::cout << '\n';
}

}  // namespace
}  // namespace pmproof::derived

int main(int argc, char** argv) {
  const auto* dialect = argc == 2 ? pmproof::derived::FindDialect(argv[1]) : nullptr;
  if (dialect == nullptr) {
    std::cerr << "usage: says DIALECT < FILES\n";
    return 2;
  }
  for (std::string path; std::getline(std::cin, path);) pmproof::derived::Say(path, *dialect);
  return 0;
}
