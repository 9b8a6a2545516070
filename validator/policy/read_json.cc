// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "reference/core/bytes.h"
#include "validator/policy/document.h"
#include "validator/text/json_stream.h"

namespace pmproof::validator::policy {
namespace {

// Makes a tree of what it is told piece by piece.
class TreeBuilder final : public JsonConsumer {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  Node& root() { return root_; }

  bool IsStreamed(std::string_view, bool is_array) const override {
    next_is_list_ = is_array;
    return true;
  }

  std::string OnBegin(std::string_view pattern, std::uint64_t offset) override {
    Node* const node = Add(pattern, offset);
    node->kind = next_is_list_ ? Node::Kind::kList : Node::Kind::kTable;
    open_.push_back({node, std::string(pattern)});
    return "";
  }

  std::string OnEnd(std::string_view, std::uint64_t) override {
    open_.pop_back();
    return "";
  }

  std::string OnValue(std::string_view pattern, const nlohmann::json& value,
                      std::uint64_t offset) override {
    Node* const node = Add(pattern, offset);
    if (value.is_string()) {
      node->kind = Node::Kind::kText;
      node->text = value.get<std::string>();
    } else if (value.is_number_integer() &&
               (!value.is_number_unsigned() ||
                value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX})) {
      node->kind = Node::Kind::kInteger;
      node->integer = value.get<std::int64_t>();
    }
    return "";
  }

 private:
  struct Open {
    Node* node;  // what is open has no neighbours yet that could move it
    std::string pattern;
  };

  Node* Add(std::string_view pattern, std::uint64_t offset) {
    // Offsets only grow.
    line_ += LineAt(text_.substr(counted_), offset - counted_) - 1;
    counted_ = offset;
    Node* node = &root_;
    if (!open_.empty()) {
      Node& parent = *open_.back().node;
      if (parent.kind == Node::Kind::kList) {
        node = &parent.items.emplace_back();
      } else {
        const std::string& prefix = open_.back().pattern;
        const std::string_view name = pattern.substr(prefix.empty() ? 0 : prefix.size() + 1);
        node = &parent.members.emplace_back();
        node->key = name;
      }
    }
    node->line = line_;
    return node;
  }

  std::string_view text_;
  Node root_;
  std::vector<Open> open_;
  mutable bool next_is_list_ = false;  // of the OnBegin() that follows
  std::uint64_t line_ = 1;
  std::uint64_t counted_ = 0;  // bytes whose lines are in line_
};

}  // namespace

Result<Node> ReadJson(std::string_view text, const std::string& file) {
  TreeBuilder builder(text);
  const Bytes document(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const std::optional<Status> error =
      validator::ReadJson(document, file, builder, {.value = kMostBytes, .depth = kMostDepth});
  if (error) {
    return tl::unexpected(
        WrongAtLine(file, LineAt(text, error->offset.value_or(0)), error->message));
  }
  return std::move(builder.root());
}

}  // namespace pmproof::validator::policy
