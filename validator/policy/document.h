// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_POLICY_DOCUMENT_H_
#define PMPROOF_VALIDATOR_POLICY_DOCUMENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/status.h"

// TOML and JSON from anybody as one tree, which knows its lines.

namespace pmproof::validator::policy {

struct Node {
  enum class Kind : std::uint8_t { kTable, kList, kText, kInteger, kOther };

  Kind kind = Kind::kOther;
  std::uint64_t line = 0;     // from 1
  std::string key;            // of a member of a table
  std::string text;           // of kText; of a date of TOML "2026-12-31"
  std::int64_t integer = 0;   // of kInteger
  std::vector<Node> members;  // of a table, no name twice
  std::vector<Node> items;    // of a list

  // Null where it is missing.
  const Node* Find(std::string_view name) const;
};

const char* ToText(Node::Kind kind);  // "a table", "a list", "a text", "an integer", ...

inline constexpr std::size_t kMostBytes = std::size_t{256} << 10;
inline constexpr int kMostDepth = 8;

// Reads a document, which is JSON where its first character that is no blank is '{', and TOML
// else. Error: kUsage, with `file` and "line N: " before what is wrong: neither TOML nor JSON, more
// than kMostBytes, deeper than kMostDepth, a member twice.
Result<Node> ReadDocument(std::string_view text, const std::string& file);

// Of the byte at `offset`.
std::uint64_t LineAt(std::string_view text, std::uint64_t offset);

Status WrongAtLine(const std::string& file, std::uint64_t line, const std::string& what);

// The two languages. As ReadDocument(), but for the size.
Result<Node> ReadToml(std::string_view text, const std::string& file);
Result<Node> ReadJson(std::string_view text, const std::string& file);

}  // namespace pmproof::validator::policy

#endif  // PMPROOF_VALIDATOR_POLICY_DOCUMENT_H_
