// SPDX-License-Identifier: Apache-2.0
#include "generators/description/json_document.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pmproof::generators {
namespace {

// Builds the document from the events of the parser, and stops it where it goes too far: the parser
// itself knows no depth, and takes the last of several members of one name.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Put(nullptr); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Put(value); }
  bool number_unsigned(number_unsigned_t value) override { return Put(value); }
  bool number_float(number_float_t value, const string_t&) override { return Put(value); }
  bool string(string_t& value) override { return Put(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return Open(Json::object()); }
  bool start_array(std::size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override {
    if (!keys_.back().insert(value).second) return Refuse("\"" + value + "\" stands there twice");
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& near,
                   const nlohmann::detail::exception& error) override {
    offset_ = position > 0 ? position - 1 : 0;
    // The parser's own words name a place by line and column already.
    std::string what = error.what();
    if (const std::size_t end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    return Refuse(near.empty() ? "not JSON" : "not JSON: " + what);
  }

  Json& document() { return document_; }
  const std::string& problem() const { return problem_; }
  std::optional<std::size_t> offset() const { return offset_; }

 private:
  bool Refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  template <typename Value>
  bool Put(Value&& value) {
    Add(Json(std::forward<Value>(value)));
    return true;
  }

  Json* Add(Json value) {
    if (open_.empty()) {
      document_ = std::move(value);
      return &document_;
    }
    Json& holder = *open_.back();
    if (holder.is_array()) {
      holder.push_back(std::move(value));
      return &holder.back();
    }
    // Straight to the end: to look for the name again in an ordered object takes its length.
    auto& members = holder.get_ref<Json::object_t&>();
    members.Container::emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }

  bool Open(Json value) {
    if (open_.size() == kMostDepth)
      return Refuse("more than " + std::to_string(kMostDepth) + " lists and objects in each other");
    open_.push_back(Add(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool Close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Json document_;
  std::vector<Json*> open_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
  std::string key_;
  std::string problem_;
  std::optional<std::size_t> offset_;
};

}  // namespace

Result<Json> ParseDocument(std::string_view text) {
  const auto refuse = [](std::string problem, std::optional<std::uint64_t> offset) {
    return tl::unexpected(
        Status{.kind = Status::Kind::kUsage, .offset = offset, .message = std::move(problem)});
  };
  if (text.size() > kMostText)
    return refuse("more than " + std::to_string(kMostText) + " bytes", std::nullopt);
  Builder builder;
  if (!Json::sax_parse(text, &builder)) return refuse(builder.problem(), builder.offset());
  return std::move(builder.document());
}

}  // namespace pmproof::generators
