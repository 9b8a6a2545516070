// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/document.h"

#include <algorithm>

namespace pmproof::validator::policy {

const Node* Node::Find(std::string_view name) const {
  for (const Node& member : members) {
    if (member.key == name) return &member;
  }
  return nullptr;
}

const char* ToText(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kTable:
      return "a table";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kText:
      return "a text";
    case Node::Kind::kInteger:
      return "an integer";
    case Node::Kind::kOther:
      return "another value";
  }
  return "?";
}

std::uint64_t LineAt(std::string_view text, std::uint64_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

Status WrongAtLine(const std::string& file, std::uint64_t line, const std::string& what) {
  return {.kind = Status::Kind::kUsage,
          .file = file,
          .message = "line " + std::to_string(line) + ": " + what};
}

Result<Node> ReadDocument(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes) {
    return tl::unexpected(Status{.kind = Status::Kind::kUsage,
                                 .file = file,
                                 .message = "has " + std::to_string(text.size()) +
                                            " bytes; at most " + std::to_string(kMostBytes) +
                                            " are read"});
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  return json ? ReadJson(text, file) : ReadToml(text, file);
}

}  // namespace pmproof::validator::policy
