// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/settings.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "reference/core/bytes.h"
#include "reference/core/printable.h"
#include "validator/cli/identifier.h"
#include "validator/policy/document.h"

namespace pmproof::validator {
namespace {

using policy::Node;
using policy::WrongAtLine;

constexpr char kFileName[] = "pmproof.toml";

using Takes = SettingName::Takes;

constexpr SettingName kNames[] = {
    {"profile", "--profile", "PMPROOF_PROFILE", Takes::kText},
    {"fail-on", "--fail-on", "PMPROOF_FAIL_ON", Takes::kText},
    {"show", "--show", "PMPROOF_SHOW", Takes::kText},
    {"only", "--only", "PMPROOF_ONLY", Takes::kTexts},
    {"rules", "--rule", "PMPROOF_RULES", Takes::kTexts},
    {"policy", "--policy", "PMPROOF_POLICY", Takes::kPath},
    {"max-findings", "--max-findings", "PMPROOF_MAX_FINDINGS", Takes::kNumber},
    {"memory", "--memory", "PMPROOF_MEMORY", Takes::kText},
    {"jobs", "--jobs", "PMPROOF_JOBS", Takes::kNumber, false},
    {"docs", "--docs", "PMPROOF_DOCS", Takes::kText},
};

const SettingName* FindName(std::string_view key) {
  const auto found =
      std::ranges::find_if(kNames, [&](const SettingName& name) { return key == name.key; });
  return found == std::end(kNames) ? nullptr : found;
}

Status Unknown(const std::string& file, const Node& member) {
  std::vector<std::string> keys;
  std::string listed;
  for (const SettingName& name : kNames) {
    keys.emplace_back(name.key);
    listed += (listed.empty() ? "" : ", ") + keys.back();
  }
  return WrongAtLine(file, member.line,
                     "there is no setting \"" + Printable(member.key) + "\"" +
                         NearestHint(member.key, keys) + "; there are " + listed);
}

// The values of a member, or none if it is of another kind than the setting takes.
std::optional<std::vector<std::string>> ValuesOf(const Node& member, Takes takes) {
  switch (takes) {
    case Takes::kNumber:
      if (member.kind != Node::Kind::kInteger) return std::nullopt;
      return std::vector{std::to_string(member.integer)};
    case Takes::kText:
    case Takes::kPath:
      if (member.kind != Node::Kind::kText) return std::nullopt;
      return std::vector{member.text};
    case Takes::kTexts: {
      if (member.kind != Node::Kind::kList) return std::nullopt;
      std::vector<std::string> values;
      for (const Node& item : member.items) {
        if (item.kind != Node::Kind::kText) return std::nullopt;
        values.push_back(item.text);
      }
      return values;
    }
  }
  return std::nullopt;
}

const char* NameOf(Takes takes) {
  switch (takes) {
    case Takes::kText:
    case Takes::kPath:
      return "a text";
    case Takes::kNumber:
      return "an integer";
    case Takes::kTexts:
      return "a list of texts";
  }
  return "";
}

Result<std::vector<Setting>> ReadFile(std::string_view text, const std::filesystem::path& folder,
                                      const std::string& shown) {
  const Result<Node> document = policy::ReadDocument(text, shown);
  if (!document) return tl::unexpected(document.error());
  std::vector<Setting> settings;
  for (const Node& member : document->members) {
    const SettingName* const name = FindName(member.key);
    if (name == nullptr) return tl::unexpected(Unknown(shown, member));
    std::optional<std::vector<std::string>> values = ValuesOf(member, name->takes);
    if (!values) {
      return tl::unexpected(WrongAtLine(
          shown, member.line,
          std::string(name->key) + " is " + ToText(member.kind) + ", not " + NameOf(name->takes)));
    }
    if (name->takes == Takes::kPath) {
      values->front() = (folder / values->front()).lexically_normal().string();
    }
    settings.push_back({name, *std::move(values), member.line});
  }
  return settings;
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Nothing where no folder has one.
Result<std::optional<std::filesystem::path>> FindFile(std::filesystem::path folder,
                                                      const archive::Storage& storage) {
  while (!folder.empty()) {
    const std::filesystem::path file = folder / kFileName;
    const auto kind = storage.KindOf(file.string());
    if (kind && *kind == archive::DirectoryEntry::Kind::kFile) return file;
    if (kind) {
      return tl::unexpected(Status{.kind = Status::Kind::kUnreadable,
                                   .file = file.string(),
                                   .message = "is not a regular file"});
    }
    const std::filesystem::path above = folder.parent_path();
    if (above == folder) break;
    folder = above;
  }
  return std::nullopt;
}

}  // namespace

std::span<const SettingName> SettingNames() { return kNames; }

std::string Settings::OriginOf(const Setting& setting) const {
  if (setting.line == 0) return setting.name->variable;
  return shown + ", line " + std::to_string(setting.line);
}

Result<Settings> FindSettings(const std::filesystem::path& folder, const archive::Storage& storage,
                              const Variable& variable) {
  Settings settings;
  std::vector<Setting> in_file;
  const auto file = FindFile(folder, storage);
  if (!file) return tl::unexpected(file.error());
  if (*file) {
    settings.file = (*file)->string();
    settings.shown = (*file)->parent_path() == folder ? kFileName : *settings.file;
    const auto opened = storage.Open(*settings.file);
    if (!opened) return tl::unexpected(opened.error());
    Result<std::vector<Setting>> read =
        ReadFile(AsText((*opened)->bytes()), (*file)->parent_path(), settings.shown);
    if (const std::optional<Status> lost = (*opened)->lost()) return tl::unexpected(*lost);
    if (!read) return tl::unexpected(read.error());
    in_file = *std::move(read);
  }
  for (const SettingName& name : kNames) {
    const char* const set = variable(name.variable);
    if (set != nullptr && *set != '\0') {
      settings.all.push_back(
          {&name, name.takes == Takes::kTexts ? Split(set) : std::vector<std::string>{set}, 0});
      continue;
    }
    const auto found =
        std::ranges::find_if(in_file, [&](const Setting& one) { return one.name == &name; });
    if (found != in_file.end()) settings.all.push_back(*found);
  }
  return settings;
}

Result<Settings> SettingsHere(const archive::Storage& storage) {
  std::error_code gone;
  return FindSettings(std::filesystem::current_path(gone), storage,
                      [](const char* name) { return std::getenv(name); });
}

}  // namespace pmproof::validator
