// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "validator/policy/document.h"

// For toml_test.py: each line of the input is a document as a string of JSON, and the line of the
// output is what ReadToml() makes of it: {"error": TEXT} or {"value": TREE}. In the tree a table is
// an object, an integer and a text are themselves, and another value is null.

namespace {

using pmproof::validator::policy::Node;

nlohmann::json Shown(const Node& node) {
  nlohmann::json shown;
  switch (node.kind) {
    case Node::Kind::kTable:
      shown = nlohmann::json::object();
      for (const Node& member : node.members) shown[member.key] = Shown(member);
      break;
    case Node::Kind::kList:
      shown = nlohmann::json::array();
      for (const Node& item : node.items) shown.push_back(Shown(item));
      break;
    case Node::Kind::kText:
      shown = node.text;
      break;
    case Node::Kind::kInteger:
      shown = node.integer;
      break;
    case Node::Kind::kOther:
      break;
  }
  return shown;
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto text = nlohmann::json::parse(line).get<std::string>();
    const auto read = pmproof::validator::policy::ReadToml(text, "p");
    nlohmann::json shown;
    if (read) {
      shown["value"] = Shown(*read);
    } else {
      shown["error"] = read.error().ToText();
    }
    std::cout << shown.dump() << "\n";
  }
}
