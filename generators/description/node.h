// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_NODE_H_
#define PMPROOF_GENERATORS_DESCRIPTION_NODE_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/description/json_document.h"

namespace pmproof::generators {

// A value of a JSON document that is read strictly, and where it stands ("/records/3/time"). What
// is wrong is kept with its place in `problem`, the first alone; what is read from then on means
// nothing. Views the document and the problem.
class Node {
 public:
  // The whole document.
  Node(const Json& json, std::string* problem) : json_(&json), problem_(problem) {}

  const Json& json() const { return *json_; }
  bool failed() const { return !problem_->empty(); }
  void Fail(const std::string& what) const;

  // Of an object: no other members than these, and all of the required ones.
  void Expect(std::initializer_list<std::string_view> required,
              std::initializer_list<std::string_view> optional = {}) const;

  // Of an object: the member, if it is there; for one that Expect() required.
  std::optional<Node> Find(const char* name) const;
  Node At(const char* name) const;

  // In the order of the text. Nothing for what is not an object or no list.
  std::vector<std::pair<std::string_view, Node>> Members() const;
  std::vector<Node> Elements() const;

  std::string Text() const;
  std::int64_t Integer(std::int64_t least, std::int64_t most) const;

 private:
  // The way to a node, which is spelled out only where something is wrong: names may be long.
  struct Step {
    std::shared_ptr<const Step> before;
    std::string_view name;  // empty: an element of a list
    std::size_t index = 0;
  };
  Node(const Json& json, std::shared_ptr<const Step> place, std::string* problem)
      : json_(&json), place_(std::move(place)), problem_(problem) {}
  Node Inside(std::string_view name, std::size_t index, const Json& json) const;
  std::string Place() const;

  const Json* json_;
  std::shared_ptr<const Step> place_;
  std::string* problem_;
};

// "1", "-2147483648": nothing if the text is not such a number, or out of range.
std::optional<std::int64_t> ParseInteger(std::string_view text, std::int64_t least,
                                         std::int64_t most);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_NODE_H_
