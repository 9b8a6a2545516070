// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/parse.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "validator/cli/help.h"
#include "validator/cli/help_json.h"
#include "validator/cli/identifier.h"
#include "validator/text/display.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

using Parsed = tl::expected<CommandLine, NothingToRun>;
using Words = std::vector<std::string>;

NothingToRun Page(std::string text) { return {ExitStatus::kOk, std::move(text)}; }

NothingToRun Usage(const std::string& message, const std::string& command) {
  return {ExitStatus::kUsage, "pmproof: " + Displayable(message) + "\nSee pmproof " + command +
                                  (command.empty() ? "" : " ") + "--help.\n"};
}

bool IsOneOf(const std::string& word, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const char* name) { return word == name; });
}

class Parser {
 public:
  Parser(const CommandTable& table, const Catalogue& catalogue, const SettingsSource& settings)
      : table_(table), catalogue_(catalogue), settings_(settings) {
    DeclareCommon(common_options_, &common_);
  }

  Parsed Parse(const Words& words) {
    const std::size_t at = FirstCommandWord(words);
    if (at == words.size()) return NoCommand(words);
    if (IsOneOf(words[at], {"-V", "--version", "version"})) return tl::unexpected(Version());
    if (IsOneOf(words[at], {"-h", "--help"})) return tl::unexpected(Help());
    if (words[at] == "help") return HelpOf(Words(words.begin() + Offset(at) + 1, words.end()));
    if (words[at].starts_with('-')) {
      return tl::unexpected(Usage(UnknownCommonOption(words[at]), ""));
    }
    const CommandGroup* const group = FindGroup(words[at]);
    const std::size_t second = at + 1;
    if (group == nullptr) {
      // "derive" is a command, and so is "derive diff".
      const bool longer = second < words.size() && Find(words[at] + " " + words[second]) != nullptr;
      return longer ? ParseCommand(words[at] + " " + words[second], words, at, 2)
                    : ParseCommand(words[at], words, at, 1);
    }
    if (second == words.size() || words[second].starts_with('-')) {
      if (second < words.size() && IsOneOf(words[second], {"-h", "--help"})) {
        return tl::unexpected(Page(GroupHelp(table_, *group)));
      }
      return tl::unexpected(Usage(
          "no command of " + words[at] + " given; there are " + Joined(NamesOf(words[at] + " ")),
          words[at]));
    }
    return ParseCommand(words[at] + " " + words[second], words, at, 2);
  }

 private:
  static std::ptrdiff_t Offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  static std::string Joined(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  NothingToRun Version() const {
    return Page(std::string("pmproof ") + kVersion + " (rules " + std::string(catalogue_.digest()) +
                ")\n");
  }
  NothingToRun Help() const { return Page(ProgramHelp(table_, common_options_)); }

  // Passes over the common options that stand before the command, and their values.
  std::size_t FirstCommandWord(const Words& words) const {
    std::size_t at = 0;
    for (; at < words.size() && words[at].starts_with('-'); ++at) {
      const std::string name = words[at].substr(0, words[at].find('='));
      const auto found = std::ranges::find_if(
          common_options_.all(), [&](const Option& option) { return option.name() == name; });
      if (found == common_options_.all().end()) return at;
      if (found->kind == Option::Kind::kValue && name == words[at]) ++at;
    }
    return std::min(at, words.size());
  }

  std::string UnknownCommonOption(const std::string& word) const {
    Words names = {"--help", "--version"};
    for (const Option& option : common_options_.all()) names.push_back(option.name());
    const std::string name = word.substr(0, word.find('='));
    return "there is no option " + name + " before a command; options of a command stand after it" +
           NearestHint(name, names);
  }

  const CommandGroup* FindGroup(const std::string& name) const {
    const auto found = std::ranges::find_if(
        table_.groups, [&](const CommandGroup& group) { return group.name == name; });
    return found == table_.groups.end() ? nullptr : &*found;
  }

  const CommandEntry* Find(const std::string& name) const {
    const auto found = std::ranges::find_if(
        table_.commands, [&](const CommandEntry& entry) { return entry.name == name; });
    return found == table_.commands.end() ? nullptr : &*found;
  }

  // The names that begin with `prefix`, without it; of no prefix, the first words.
  Words NamesOf(const std::string& prefix) const {
    Words names;
    for (const CommandEntry& entry : table_.commands) {
      std::string name = entry.name;
      if (!name.starts_with(prefix)) continue;
      name = name.substr(prefix.size());
      name = name.substr(0, name.find(' '));
      if (std::ranges::count(names, name) == 0) names.push_back(name);
    }
    return names;
  }

  Parsed NoCommand(const Words& words) {
    // What stands there may be wrong by itself.
    std::string wrong = ReadOptions(words, Pointers({&common_options_}), {}).wrong;
    if (wrong.empty()) wrong = "no command given; commands: " + Joined(NamesOf(""));
    return tl::unexpected(Usage(wrong, ""));
  }

  NothingToRun UnknownCommand(const std::string& name) const {
    const std::size_t blank = name.find(' ');
    const std::string group = blank == std::string::npos ? "" : name.substr(0, blank);
    const Words known = NamesOf(group.empty() ? "" : group + " ");
    const std::string word = group.empty() ? name : name.substr(blank + 1);
    return Usage("there is no command " + name + NearestHint(word, known) + "; commands" +
                     (group.empty() ? "" : " of " + group) + ": " + Joined(known),
                 group);
  }

  Parsed HelpOf(const Words& words) {
    if (words.empty()) return tl::unexpected(Help());
    if (words == Words{"--format", "json"}) {
      return tl::unexpected(Page(HelpJson(table_, common_options_)));
    }
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    if (const CommandGroup* const group = FindGroup(name)) {
      return tl::unexpected(Page(GroupHelp(table_, *group)));
    }
    const CommandEntry* const entry = Find(name);
    if (entry == nullptr) return tl::unexpected(UnknownCommand(name));
    Options options;
    const auto command = entry->make();
    command->Declare(options);
    return tl::unexpected(Page(CommandHelp(*entry, options)));
  }

  static std::vector<const Option*> Pointers(std::initializer_list<const Options*> all) {
    std::vector<const Option*> declared;
    for (const Options* const some : all) {
      for (const Option& option : some->all()) declared.push_back(&option);
    }
    return declared;
  }

  Parsed ParseCommand(const std::string& name, const Words& all, std::size_t at, int length) {
    const CommandEntry* const entry = Find(name);
    if (entry == nullptr) return tl::unexpected(UnknownCommand(name));
    Words words = all;
    words.erase(words.begin() + Offset(at), words.begin() + Offset(at) + length);
    std::unique_ptr<Command> command = entry->make();
    Options options;
    command->Declare(options);
    OptionsRead read = ReadOptions(words, Pointers({&options, &common_options_}), [this] {
      return common_.no_config || !settings_ ? Result<Settings>() : settings_();
    });
    if (read.help) return tl::unexpected(Page(CommandHelp(*entry, options)));
    std::string wrong = read.wrong.empty() ? command->Wrong(catalogue_) : std::move(read.wrong);
    if (!wrong.empty()) return tl::unexpected(Usage(wrong, name));
    if (common_.jobs == 0) common_.jobs = std::max(1U, std::thread::hardware_concurrency());
    return CommandLine{common_, std::move(command), std::move(read.settings)};
  }

  const CommandTable& table_;
  const Catalogue& catalogue_;
  const SettingsSource& settings_;
  CommonArguments common_{.jobs = 0};
  Options common_options_;
};

}  // namespace

void DeclareCommon(Options& options, CommonArguments* common) {
  const std::vector<NamedValue<When>> when = {
      {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};
  options.Choice("--color", "WHEN", "Colours (NO_COLOR is obeyed)", when, &common->colour)
      .Default("auto");
  options.Choice("--progress", "WHEN", "Progress bar on standard error", when, &common->progress)
      .Default("auto");
  options.Number("--jobs", "N", "Threads", 1, 4096, &common->jobs)
      .Default("as many as processors")
      .FromSettings();
  options.Flag("--quiet", "Only findings and errors: no progress bar, no summary", &common->quiet);
  options.Flag("--no-config", "Neither pmproof.toml nor PMPROOF_* variables: see pmproof config",
               &common->no_config);
}

tl::expected<CommandLine, NothingToRun> ParseCommandLine(const std::vector<std::string>& arguments,
                                                         const CommandTable& table,
                                                         const Catalogue& catalogue,
                                                         const SettingsSource& settings) {
  return Parser(table, catalogue, settings).Parse(arguments);
}

}  // namespace pmproof::validator
