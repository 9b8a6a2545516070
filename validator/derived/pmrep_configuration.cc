// SPDX-License-Identifier: Apache-2.0
#include "validator/derived/pmrep_configuration.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reference/core/clause.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kLargest = std::size_t{16} << 20;
constexpr std::string_view kBlanks = " \t\r\f\v";
constexpr std::string_view kFormula = ".formula";

std::string_view Stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

struct Option {
  std::string value;
  std::uint64_t line = 0;
};

class Reading {
 public:
  explicit Reading(const std::string& file) : file_(file) {}

  Result<std::vector<PmrepSection>> Read(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size() && !wrong_; ++line_) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      TakeLine(text.substr(begin, end - begin));
      begin = end + 1;
    }
    EndSection();
    if (wrong_) return tl::make_unexpected(*std::move(wrong_));
    return std::move(sections_);
  }

 private:
  void Refuse(Clause clause, std::uint64_t line, const std::string& message) {
    if (wrong_) return;
    wrong_ = Status{.kind = Status::Kind::kUsage,
                    .file = file_,
                    .message = "line " + std::to_string(line) + ": " + message + " [" +
                               clause.ToString() + "]"};
  }

  // DER-341.
  void TakeLine(std::string_view line) {
    const std::string_view content = Stripped(line);
    if (content.empty()) {
      ++open_lines_;
      return;
    }
    if (content.front() == '#' || content.front() == ';') return;
    const std::size_t indent = line.find_first_not_of(kBlanks);
    if (option_ != nullptr && indent > indent_) {
      option_->value.append(open_lines_ + 1, '\n').append(content);
      open_lines_ = 0;
      return;
    }
    indent_ = indent;
    open_lines_ = 0;
    if (const std::size_t end = content.rfind(']');
        content.front() == '[' && end != std::string_view::npos && end > 1) {
      BeginSection(std::string(content.substr(1, end - 1)));
    } else {
      TakeOption(content);
    }
  }

  void BeginSection(std::string name) {
    EndSection();
    if (!names_.insert(name).second) {
      Refuse("DER-341"_clause, line_, "section " + name + " was there before");
    }
    section_ = std::move(name);
    in_section_ = true;
  }

  void TakeOption(std::string_view content) {
    if (!in_section_) return Refuse("DER-341"_clause, line_, "no section begins before");
    const std::size_t split = content.find_first_of("=:");
    if (split == std::string_view::npos || split == 0) {
      return Refuse("DER-341"_clause, line_, "neither a section nor KEY = VALUE");
    }
    std::string key(Stripped(content.substr(0, split)));
    const auto [option, is_new] = options_.emplace(std::move(key), Option());
    if (!is_new) {
      return Refuse("DER-341"_clause, line_, option->first + " was there before in its section");
    }
    order_.push_back(&option->first);
    option_ = &option->second;
    *option_ = {std::string(Stripped(content.substr(split + 1))), line_};
  }

  void EndSection() {
    PmrepSection section{.file = file_, .name = section_};
    std::set<std::string_view> before;
    for (const std::string* const key : order_) {
      const Option& option = options_.find(*key)->second;
      if (section_ == "options") {
        if (*key == "derived") TakeDerived(option, &section);
        continue;
      }
      if (IsFormula(*key)) TakeFormula(*key, option, before, &section);
      before.insert(*key);
    }
    if (!section.definitions.empty() || !section.configurations.empty()) {
      sections_.push_back(std::move(section));
    }
    options_.clear();
    order_.clear();
    option_ = nullptr;
  }

  static bool IsFormula(std::string_view key) {
    return key.ends_with(kFormula) && key.size() > kFormula.size() &&
           key.find('.') == key.size() - kFormula.size();
  }

  // DER-342.
  void TakeFormula(const std::string& key, const Option& formula,
                   const std::set<std::string_view>& before, PmrepSection* section) {
    const std::string of = key.substr(0, key.size() - kFormula.size());
    if (!before.contains(of)) {
      return Refuse("DER-342"_clause, formula.line, of + " does not stand before its formula");
    }
    const std::string asked = Interpolated(options_.find(of)->second);
    std::string expression = Interpolated(formula);
    if (expression.size() >= 2 && expression.front() == '"' && expression.back() == '"') {
      expression = expression.substr(1, expression.size() - 2);
    }
    section->definitions.push_back({std::string(Stripped(asked.substr(0, asked.find(',')))),
                                    std::move(expression), formula.line});
  }

  // DER-345.
  void TakeDerived(const Option& option, PmrepSection* section) {
    const std::string list = Interpolated(option);
    std::uint64_t line = option.line;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string whole = list.substr(begin, end - begin);
      const std::size_t text = std::min(whole.find_first_not_of(" \t\n"), whole.size());
      const std::string part = whole.substr(text);
      const std::uint64_t at =
          line + static_cast<std::uint64_t>(std::count(whole.begin(), whole.begin() + text, '\n'));
      if (part.starts_with('/') || part.starts_with('.')) {
        section->configurations.emplace_back(Stripped(part));
      } else if (!part.empty()) {
        const std::size_t split = std::min(part.find('='), part.size());
        const std::string_view after =
            split < part.size() ? std::string_view(part).substr(split + 1) : "";
        section->definitions.push_back(
            {std::string(Stripped(part.substr(0, split))), std::string(Stripped(after)), at});
      }
      line += static_cast<std::uint64_t>(std::ranges::count(whole, '\n'));
      begin = end + 1;
    }
  }

  // DER-343.
  std::string Interpolated(const Option& option) {
    std::string value;
    for (std::size_t i = 0; i < option.value.size(); ++i) {
      if (option.value[i] == '%' && option.value.compare(i, 2, "%%") != 0) {
        Refuse("DER-343"_clause, option.line, "a single % begins an interpolation");
        return value;
      }
      if (option.value[i] == '%') ++i;
      value += option.value[i];
    }
    return value;
  }

  const std::string& file_;
  std::uint64_t line_ = 1;
  std::optional<Status> wrong_;
  std::set<std::string> names_;  // of sections
  bool in_section_ = false;
  std::string section_;
  std::map<std::string, Option> options_;  // of the section
  std::vector<const std::string*> order_;  // their keys
  Option* option_ = nullptr;               // that further lines belong to
  std::size_t indent_ = 0;                 // of its key
  std::size_t open_lines_ = 0;             // blank ones since its last line
  std::vector<PmrepSection> sections_;
};

}  // namespace

Result<std::vector<PmrepSection>> ReadPmrepConfiguration(std::string_view text,
                                                         const std::string& file) {
  return Reading(file).Read(text);
}

Result<std::vector<PmrepSection>> LoadPmrepConfigurations(const archive::Storage& storage,
                                                          const std::string& path) {
  const auto kind = storage.KindOf(path);
  if (!kind) return tl::make_unexpected(kind.error());
  if (*kind == archive::DirectoryEntry::Kind::kDirectory) {
    auto listed = storage.List(path);
    if (!listed) return tl::make_unexpected(listed.error());
    std::ranges::sort(*listed, {}, &archive::DirectoryEntry::name);
    std::vector<PmrepSection> all;
    for (const archive::DirectoryEntry& entry : *listed) {
      if (entry.kind != archive::DirectoryEntry::Kind::kFile || !entry.name.ends_with(".conf")) {
        continue;
      }
      auto sections = LoadPmrepConfigurations(storage, path + "/" + entry.name);
      if (!sections) return sections;
      std::ranges::move(*sections, std::back_inserter(all));
    }
    return all;
  }
  const auto file = storage.Open(path);
  if (!file) return tl::make_unexpected(file.error());
  const Bytes bytes = (*file)->bytes();
  if (bytes.size() > kLargest) {
    return tl::make_unexpected(Status{
        .kind = Status::Kind::kBudget, .file = path, .message = "more than 16 MiB of definitions"});
  }
  return ReadPmrepConfiguration(AsText(bytes), path);
}

}  // namespace pmproof::validator
