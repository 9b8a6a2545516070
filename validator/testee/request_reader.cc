// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/request_reader.h"

#include <algorithm>

namespace pmproof::validator {
namespace {

const Json& NoObject() {
  static const Json kNone = Json::object();
  return kNone;
}

}  // namespace

const Json& RequestReader::Object(const Json& in, const char* key) {
  const auto found = in.find(key);
  if (found != in.end() && found->is_object()) return *found;
  Fail(std::string(key) + ": missing, or no object");
  return NoObject();
}

void RequestReader::KnowKeys(const Json& object, const std::string& path, Keys known, Keys more) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    if (std::ranges::find(more, key) != more.end()) continue;
    StopBy(Skip{path + "." + key + ": this implementation does not know it"});
  }
}

std::optional<std::string> RequestReader::Text(const Json& object, const char* key,
                                               const std::string& path) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  Fail(path + "." + key + ": no string");
  return std::nullopt;
}

std::optional<bool> RequestReader::Flag(const Json& object, const char* key,
                                        const std::string& path) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_boolean()) return found->get<bool>();
  Fail(path + "." + key + ": neither true nor false");
  return std::nullopt;
}

std::optional<std::int64_t> RequestReader::Integer(const Json& object, const char* key,
                                                   const std::string& path, std::int64_t least,
                                                   std::int64_t most) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  // An unsigned number beyond 63 bits would come out negative.
  const bool fits = found->is_number_integer() &&
                    (!found->is_number_unsigned() || found->get<std::uint64_t>() >> 63 == 0);
  if (fits && found->get<std::int64_t>() >= least && found->get<std::int64_t>() <= most) {
    return found->get<std::int64_t>();
  }
  Fail(path + "." + key + ": no number from " + std::to_string(least) + " to " +
       std::to_string(most));
  return std::nullopt;
}

std::string RequestReader::NeededText(const Json& object, const char* key,
                                      const std::string& path) {
  if (!object.contains(key)) Fail(path + "." + key + ": missing");
  return Text(object, key, path).value_or("");
}

std::vector<std::string> RequestReader::Texts(const Json& list, const std::string& path) {
  std::vector<std::string> texts;
  if (!list.is_array() || list.empty()) Fail(path + ": no list of strings, or an empty one");
  if (!list.is_array()) return texts;
  for (const Json& entry : list) {
    if (!entry.is_string()) {
      Fail(path + ": holds what is not a string");
      return texts;
    }
    texts.push_back(entry.get<std::string>());
  }
  return texts;
}

std::vector<std::string> RequestReader::Archives() {
  KnowKeys(input_, "input", {"path", "paths"});
  if (input_.contains("path") == input_.contains("paths")) {
    Fail("input: needs either path or paths");
    return {};
  }
  if (input_.contains("paths")) return Texts(input_["paths"], "input.paths");
  return {NeededText(input_, "path", "input")};
}

const derived::Dialect& RequestReader::Dialect() {
  const std::optional<std::string> name = Text(args_, "dialect", "args");
  if (!name) return derived::kV72;
  if (const derived::Dialect* const dialect = derived::FindDialect(*name)) return *dialect;
  StopBy(Skip{"args.dialect: there is no dialect of that name here"});
  return derived::kV72;
}

}  // namespace pmproof::validator
