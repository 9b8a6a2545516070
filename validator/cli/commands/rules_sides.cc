// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/rules_sides.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "validator/cli/identifier.h"
#include "validator/replay/emulated_version.h"
#include "validator/rules_diff/emulated_side.h"
#include "validator/rules_diff/profile_side.h"
#include "validator/rules_diff/testee_side.h"
#include "validator/testee/client/command_words.h"

namespace pmproof::validator {
namespace {

// Resolved where Python starts the adapters: qa/suite.
constexpr std::array<std::string_view, 2> kOfSuite = {"pcp:", "tool:"};

// The program itself, for adapters that want to read an archive by it.
std::vector<std::string> OwnProgram() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  return {"PMPROOF=" + path.string()};
}

tl::expected<SideChoice, std::string> Emulation(const std::string& text, std::string_view version) {
  std::string known;
  for (const auto& [name, of] : EmulatedVersions()) {
    if (version == name) return SideChoice{text, of};
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return tl::unexpected(text + ": that version cannot be emulated; versions: " + known);
}

tl::expected<SideChoice, std::string> Implementation(const std::string& text,
                                                     std::string_view command,
                                                     const SideOptions& options) {
  AdapterCommand adapter;
  if (auto words = CommandWords(command)) adapter.words = *std::move(words);
  if (adapter.words.empty() || adapter.words.front().empty()) {
    return tl::unexpected(text + ": no command, or a quote in it that does not end");
  }
  adapter.variables = OwnProgram();
  adapter.answer = options.patience;
  adapter.longest_line = options.longest_line;
  return SideChoice{text, std::move(adapter)};
}

tl::expected<SideChoice, std::string> Named(const std::string& text, const SideOptions& options) {
  const auto found = std::ranges::find(
      options.profiles, text, [](const replay::Profile& profile) { return profile->name(); });
  if (found != options.profiles.end()) return SideChoice{text, *found};
  if (std::ranges::any_of(kOfSuite, [&](auto kind) { return text.starts_with(kind); }) ||
      text == "reference") {
    return tl::unexpected(
        text + ": qa/suite/suite rules diff knows that name, and takes the same " + "arguments");
  }
  std::vector<std::string> names;
  std::string all;
  for (const replay::Profile& profile : options.profiles) {
    names.emplace_back(profile->name());
    all += (all.empty() ? "" : ", ") + names.back();
  }
  return tl::unexpected("there is no profile " + text + NearestHint(text, names) +
                        "; profiles: " + all + "; implementations: exec:COMMAND, emulate:VERSION");
}

SideNote NoteOf(const SideChoice& choice, const replay::Profile& profile) {
  return {SideNote::Kind::kProfile, choice.name, std::string(profile->summary()), {}};
}

}  // namespace

tl::expected<SideChoice, std::string> ChooseSide(const std::string& text,
                                                 const SideOptions& options) {
  constexpr std::string_view kEmulate = "emulate:";
  constexpr std::string_view kExec = "exec:";
  const std::string_view view = text;
  auto choice = text.starts_with(kEmulate) ? Emulation(text, view.substr(kEmulate.size()))
                : text.starts_with(kExec) ? Implementation(text, view.substr(kExec.size()), options)
                                          : Named(text, options);
  if (choice) choice->counter_wrap = options.counter_wrap;
  return choice;
}

tl::expected<OpenedSide, std::string> OpenSide(const SideChoice& choice) {
  if (const auto* profile = std::get_if<replay::Profile>(&choice.what)) {
    return OpenedSide{std::make_unique<ProfileSide>(*profile), NoteOf(choice, *profile)};
  }
  if (const auto* version = std::get_if<PcpVersion>(&choice.what)) {
    return OpenedSide{std::make_unique<EmulatedSide>(*version, choice.counter_wrap),
                      {SideNote::Kind::kEmulation,
                       choice.name,
                       "What that PCP answers, as pmproof emulates it.",
                       {}}};
  }
  Adapter adapter(std::get<AdapterCommand>(choice.what));
  if (const auto started = adapter.Start(); !started) {
    return tl::unexpected(choice.name + " " + started.error().text);
  }
  const AdapterHello hello = adapter.hello();
  const std::string language = hello.language.empty() ? "" : " (" + hello.language + ")";
  const std::string summary = hello.name + (hello.version.empty() ? "" : " ") + hello.version;
  return OpenedSide{std::make_unique<TesteeSide>(std::move(adapter), choice.counter_wrap),
                    {SideNote::Kind::kImplementation, choice.name, summary + language,
                     ImplementationNote{hello.name, hello.version, hello.language}}};
}

}  // namespace pmproof::validator
