// SPDX-License-Identifier: Apache-2.0
#include "generators/description/node.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace pmproof::generators {

void Node::Fail(const std::string& what) const {
  if (!problem_->empty()) return;
  const std::string place = Place();
  *problem_ = (place.empty() ? "the whole" : place) + ": " + what;
}

std::string Node::Place() const {
  std::vector<const Step*> steps;
  for (const Step* step = place_.get(); step != nullptr; step = step->before.get())
    steps.push_back(step);
  std::string place;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    place += '/';
    if ((*step)->name.empty()) place += std::to_string((*step)->index);
    for (const char letter : (*step)->name) {  // as JSON pointers have it
      if (letter == '~' || letter == '/') {
        place += letter == '~' ? "~0" : "~1";
      } else {
        place += letter;
      }
    }
  }
  return place;
}

void Node::Expect(std::initializer_list<std::string_view> required,
                  std::initializer_list<std::string_view> optional) const {
  if (!json_->is_object()) return Fail("is not an object");
  for (const auto& [name, value] : json_->items()) {
    const auto is_name = [&name = name](std::string_view known) { return known == name; };
    if (std::none_of(required.begin(), required.end(), is_name) &&
        std::none_of(optional.begin(), optional.end(), is_name))
      return Fail("\"" + name + "\" is unknown here");
  }
  for (const std::string_view name : required) {
    if (!json_->contains(name)) return Fail("has no \"" + std::string(name) + "\"");
  }
}

std::optional<Node> Node::Find(const char* name) const {
  if (!json_->is_object()) return std::nullopt;
  const auto found = json_->find(name);
  if (found == json_->end()) return std::nullopt;
  return Inside(name, 0, *found);
}

Node Node::At(const char* name) const {
  static const Json kNothing;
  if (const auto node = Find(name)) return *node;
  Fail(std::string("has no \"") + name + "\"");
  return Inside(name, 0, kNothing);
}

std::vector<std::pair<std::string_view, Node>> Node::Members() const {
  std::vector<std::pair<std::string_view, Node>> members;
  if (!json_->is_object()) {
    Fail("is not an object");
    return members;
  }
  const auto& object = json_->get_ref<const Json::object_t&>();
  members.reserve(object.size());
  for (const auto& [name, value] : object) members.emplace_back(name, Inside(name, 0, value));
  return members;
}

std::vector<Node> Node::Elements() const {
  std::vector<Node> elements;
  if (!json_->is_array()) {
    Fail("is not a list");
    return elements;
  }
  for (std::size_t i = 0; i < json_->size(); ++i) elements.push_back(Inside("", i, (*json_)[i]));
  return elements;
}

std::string Node::Text() const {
  if (json_->is_string()) return json_->get<std::string>();
  Fail("is not a text");
  return "";
}

std::int64_t Node::Integer(std::int64_t least, std::int64_t most) const {
  const bool huge = json_->is_number_unsigned() &&
                    json_->get<std::uint64_t>() > static_cast<std::uint64_t>(most < 0 ? 0 : most);
  if (json_->is_number_integer() && !huge) {
    const auto number = json_->get<std::int64_t>();
    if (number >= least && number <= most) return number;
  }
  Fail("is not a number from " + std::to_string(least) + " to " + std::to_string(most));
  return least;
}

Node Node::Inside(std::string_view name, std::size_t index, const Json& json) const {
  return {json, std::make_shared<const Step>(Step{place_, name, index}), problem_};
}

std::optional<std::int64_t> ParseInteger(std::string_view text, std::int64_t least,
                                         std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < least || number > most) return std::nullopt;
  return number;
}

}  // namespace pmproof::generators
