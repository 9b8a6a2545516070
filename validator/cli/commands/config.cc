// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/settings.h"
#include "validator/schema/config_schema.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

std::string Listed(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

void WriteText(const Settings& settings, std::ostream& out) {
  out << (settings.file ? Displayable(settings.shown) : "no pmproof.toml here or in a folder above")
      << '\n';
  for (const Setting& setting : settings.all) {
    out << "  " << setting.name->key << " = " << Displayable(Listed(setting.values)) << "  ("
        << Displayable(setting.line == 0 ? setting.name->variable
                                         : "line " + std::to_string(setting.line))
        << ")\n";
  }
  std::string others;
  for (const SettingName& name : SettingNames()) {
    const bool set = std::ranges::any_of(
        settings.all, [&](const Setting& setting) { return setting.name == &name; });
    if (!set) others += (others.empty() ? "" : ", ") + std::string(name.key);
  }
  if (!others.empty()) out << "not set: " << others << '\n';
}

void WriteJson(const Settings& settings, std::ostream& out) {
  Json all = Json::array();
  for (const Setting& setting : settings.all) {
    const bool in_file = setting.line != 0;
    all.push_back({{"name", setting.name->key},
                   {"option", setting.name->option},
                   {"values", setting.values},
                   {"line", in_file ? Json(setting.line) : Json(nullptr)},
                   {"variable", in_file ? Json(nullptr) : Json(setting.name->variable)}});
  }
  const Json document = {{"schema", "pmproof-config/1"},
                         {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
                         {"file", settings.file ? Json(*settings.file) : Json(nullptr)},
                         {"settings", std::move(all)}};
  out << DumpJson(document, 2) << '\n';
}

class ConfigCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<bool>>{{"text", false}, {"json", true}}, &json_)
        .Default("text");
    options.Flag("--schema", "Print the JSON Schema of --format json", &print_schema_);
    std::string names;
    for (const SettingName& name : SettingNames()) {
      names += (names.empty() ? "" : ", ") + std::string(name.key) + " (" + name.option + ")";
    }
    options
        .Notes(
            "An option that is not on the command line takes the value of a variable such as "
            "PMPROOF_FAIL_ON, else that of pmproof.toml in this folder or the nearest above it "
            "that has one, else its default. A path in the file is relative to its folder. Each "
            "command says on standard error which settings it took, unless --quiet is given; "
            "--no-config takes none. Settings: " +
            names)
        .Examples({"pmproof config", "pmproof config --format json"})
        .ExitStatuses("0 printed; 2 wrong usage, or pmproof.toml is wrong; 4 it cannot be read");
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (print_schema_) {
      for (const EmbeddedFile& file : config_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    const Result<Settings> settings =
        common.no_config ? Result<Settings>() : SettingsHere(environment.storage);
    if (!settings) {
      const bool wrong = settings.error().kind == Status::Kind::kUsage;
      return Fail(environment, wrong ? ExitStatus::kUsage : ExitStatus::kUnreadable,
                  settings.error().ToText());
    }
    json_ ? WriteJson(*settings, environment.out) : WriteText(*settings, environment.out);
    return ExitStatus::kOk;
  }

 private:
  bool json_ = false;
  bool print_schema_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeConfig() { return std::make_unique<ConfigCommand>(); }

}  // namespace pmproof::validator
