// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/read_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "validator/cli/identifier.h"

namespace pmproof::validator {
namespace {

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// One value, or each of a delimited list.
std::string Take(const Option& option, const std::string& word) {
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = option.delimiter == '\0'
                                ? word.size()
                                : std::min(word.find(option.delimiter, begin), word.size());
    const std::string_view value = std::string_view(word).substr(begin, end - begin);
    begin = end + 1;
    if (!option.choices.empty() && std::ranges::count(option.choices, value) == 0) {
      return option.name() + ": " + std::string(value) + " is not one of " +
             Joined(option.choices, ", ") + NearestHint(value, option.choices);
    }
    if (std::string wrong = option.take(value); !wrong.empty()) return option.name() + ": " + wrong;
  }
  return "";
}

class Words {
 public:
  explicit Words(const std::vector<const Option*>& declared) : declared_(declared) {
    app_.set_help_flag();
    app_.allow_extras();
    help_ = app_.add_flag("-h,--help");
    for (const Option* option : declared) {
      if (option->kind == Option::Kind::kOperand) continue;
      const std::string names = Joined(option->names, ",");
      CLI::Option* const added =
          option->kind == Option::Kind::kFlag
              ? app_.add_flag(names)
              : app_.add_option(names, [](const CLI::results_t&) { return true; })
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                    ->type_name(option->value_name);
      options_.emplace(added, option);
    }
  }

  std::string Store(const std::vector<std::string>& words, const SettingsSource& settings,
                    OptionsRead* read) {
    try {
      // CLI11 takes the words from the back.
      app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ArgumentMismatch& error) {
      return MissingValue(words, error.what());
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    read->help = help_->count() > 0;
    if (read->help) return "";
    // Unknown options first: their values would look like operands too many.
    std::vector<std::string> operands;
    if (std::string wrong = Divide(app_.remaining(), &operands); !wrong.empty()) return wrong;
    if (std::string wrong = StoreOptions(); !wrong.empty()) return wrong;
    if (std::string wrong = StoreOperands(operands); !wrong.empty()) return wrong;
    if (std::string wrong = Contradiction(); !wrong.empty()) return wrong;
    return StoreSettings(settings, &read->settings);
  }

 private:
  // CLI11's own words name the type; the option whose value is missing stands last.
  std::string MissingValue(const std::vector<std::string>& words, const char* otherwise) const {
    for (const auto& [added, option] : options_) {
      if (std::ranges::count(option->names, words.back()) > 0) {
        return words.back() + ": a value is missing: " + option->value_name;
      }
    }
    return otherwise;
  }

  // What CLI11 did not recognise: operands, and after "--" anything.
  std::string Divide(const std::vector<std::string>& rest, std::vector<std::string>* operands) {
    bool only_operands = false;
    for (const std::string& word : rest) {
      if (!only_operands && word == "--") {
        only_operands = true;
      } else if (!only_operands && word.size() > 1 && word.starts_with('-')) {
        return Unknown(word);
      } else {
        operands->push_back(word);
      }
    }
    return "";
  }

  std::string Unknown(const std::string& word) const {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> names = {"--help"};
    for (const Option* option : declared_) {
      if (option->kind == Option::Kind::kOperand) continue;
      names.insert(names.end(), option->names.begin(), option->names.end());
    }
    return "there is no option " + name + NearestHint(name, names);
  }

  // In their order on the command line, so that of several the last one counts.
  std::string StoreOptions() {
    std::map<const CLI::Option*, std::size_t> seen;
    for (CLI::Option* added : app_.parse_order()) {
      const auto found = options_.find(added);
      if (found == options_.end()) continue;
      const Option& option = *found->second;
      const CLI::results_t& results = added->results();
      const std::size_t number = seen[added]++;
      const std::string word = number < results.size() ? results[number] : "";
      given_.insert(&option);
      if (option.kind == Option::Kind::kFlag) {
        if (word != "true") return option.name() + ": takes no value";
        if (std::string wrong = option.take(""); !wrong.empty()) return wrong;
      } else if (std::string wrong = Take(option, word); !wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }

  std::string StoreOperands(const std::vector<std::string>& operands) {
    std::size_t next = 0;
    for (const Option* option : declared_) {
      if (option->kind != Option::Kind::kOperand) continue;
      const std::size_t end = option->repeats ? operands.size() : next + 1;
      for (; next < std::min(end, operands.size()); ++next) {
        given_.insert(option);
        if (std::string wrong = Take(*option, operands[next]); !wrong.empty()) return wrong;
      }
    }
    if (next < operands.size()) return operands[next] + ": one operand too many";
    return "";
  }

  std::string Contradiction() const {
    for (const Option* option : declared_) {
      if (!given_.contains(option)) {
        if (option->required) return option->name() + " is required";
        continue;
      }
      for (const Option* other : declared_) {
        if (given_.contains(other) && std::ranges::count(option->excludes, other->name()) > 0) {
          return option->name() + " excludes " + other->name();
        }
      }
    }
    return "";
  }

  std::string StoreSettings(const SettingsSource& source, std::vector<std::string>* taken) const {
    if (!source ||
        std::ranges::none_of(declared_, [](const Option* one) { return one->from_settings; })) {
      return "";
    }
    const Result<Settings> settings = source();
    if (!settings) return settings.error().ToText() + " (--no-config runs without it)";
    for (const Setting& setting : settings->all) {
      const auto found = std::ranges::find_if(declared_, [&](const Option* option) {
        return option->from_settings && option->name() == setting.name->option;
      });
      if (found == declared_.end() || given_.contains(*found) || IsExcluded(**found)) continue;
      const std::string origin = settings->OriginOf(setting);
      for (const std::string& value : setting.values) {
        if (std::string wrong = Take(**found, value); !wrong.empty()) return origin + ": " + wrong;
      }
      if (!setting.name->changes_results) continue;
      taken->push_back(std::string(setting.name->key) + " = " + Joined(setting.values, ",") + " (" +
                       origin + ")");
    }
    return "";
  }

  // By an option that is given.
  bool IsExcluded(const Option& option) const {
    return std::ranges::any_of(given_, [&](const Option* other) {
      return std::ranges::count(option.excludes, other->name()) > 0 ||
             std::ranges::count(other->excludes, option.name()) > 0;
    });
  }

  const std::vector<const Option*>& declared_;
  CLI::App app_;
  CLI::Option* help_ = nullptr;
  std::map<const CLI::Option*, const Option*> options_;
  std::set<const Option*> given_;
};

}  // namespace

OptionsRead ReadOptions(const std::vector<std::string>& words,
                        const std::vector<const Option*>& declared,
                        const SettingsSource& settings) {
  OptionsRead read;
  read.wrong = Words(declared).Store(words, settings, &read);
  return read;
}

}  // namespace pmproof::validator
