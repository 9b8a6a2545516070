#include "validator/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include "validator/cli/commands/rewrite_options.h"
#include "validator/text/display.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

constexpr char kExitStatus[] =
    "Exit status: 0 conformant, or done; 1 findings at or above --fail-on; 2 wrong usage;\n"
    "4 an input is missing, unreadable or not a PCP archive at all; 5 internal error of pmproof;\n"
    "6 a time or memory budget was exceeded, verdict unknown. Of several the first of 5, 4, 6, 1.";

const std::map<std::string, When> kWhen = {
    {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};

// What CLI11 reads into; made into a CommandLine afterwards.
struct Raw {
  When colour = When::kAuto;
  When progress = When::kAuto;
  unsigned jobs = 0;
  bool quiet = false;
  CheckArguments check;
  std::vector<std::string> formats;
  std::vector<std::string> outputs;
  std::vector<std::string> only;
  std::vector<std::string> rules;
  std::string fail_on = "error";
  std::string profile = "archival";
  std::string list_format = "text";
  std::vector<std::string> list_only;
  ExplainArguments explain;
  DumpArguments dump;
  std::string dump_format = "text";
  InfoArguments info;
  std::string info_format = "text";
  RewriteArguments rewrite;
  GenerateArguments generate;
  EnumerateArguments enumerate;
  MutateArguments mutate;
  ShrinkArguments shrink;
  ReplayArguments replay;
  RulesArguments profiles;
  TesteeArguments testee;
  DeriveArguments derive;
  UnitsArguments units;
  AgentArguments agent;
  CollectorArguments collector;
  CompareArguments compare;
};

constexpr std::size_t kWidth = 100;
constexpr std::size_t kDescriptionColumn = 26;

constexpr char kCommonHint[] = "Also --color, --progress, --jobs and --quiet: see pmproof --help.";

// A description of an option, wrapped for --help.
std::string Description(const char* text) { return Wrap(text, kWidth - kDescriptionColumn, 0); }

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const Format format : kFormats) names.emplace_back(ToText(format));
  return names;
}

std::vector<std::string> PartNames() {
  std::vector<std::string> names;
  for (const RulePart part : kRuleParts) names.emplace_back(ToText(part));
  return names;
}

// Parts that are no rules about archives, but checks.
const std::vector<std::string> kCheckParts = {"agent", "collector"};

std::vector<std::string> ListableNames() {
  std::vector<std::string> names = PartNames();
  names.insert(names.end(), kCheckParts.begin(), kCheckParts.end());
  return names;
}

void AddCommon(CLI::App& app, Raw& raw) {
  app.add_option("--color", raw.colour,
                 Description("Colours: auto, always, never (NO_COLOR is obeyed)"))
      ->transform(CLI::CheckedTransformer(kWhen).description(""))
      ->type_name("WHEN");
  app.add_option("--progress", raw.progress,
                 Description("Progress bar on standard error: auto, always, never"))
      ->transform(CLI::CheckedTransformer(kWhen).description(""))
      ->type_name("WHEN");
  app.add_option("--jobs", raw.jobs, Description("Threads (default: as many as processors)"))
      ->check(CLI::Range(1U, 4096U).description(""))
      ->type_name("N");
  app.add_flag("--quiet", raw.quiet,
               Description("Only findings and errors: no progress bar, no summary"));
}

void AddCheck(CLI::App& app, Raw& raw) {
  CLI::App* check = app.add_subcommand("check", "Validate archives")->group("Commands");
  check
      ->add_option(
          "ARCHIVE", raw.check.archives,
          Description("Base name, any file of an archive, or a directory: each archive below it"))
      ->type_name("");
  check
      ->add_option(
          "--format", raw.formats,
          Description("text, json, jsonl, sarif, junit or html (default: text); may be repeated"))
      ->check(CLI::IsMember(FormatNames()).description(""))
      ->type_name("FORMAT")
      ->allow_extra_args(false);
  check
      ->add_option(
          "--output", raw.outputs,
          Description(
              "Write to a file that does not exist yet; the n-th --output belongs to the n-th "
              "--format, a --format without one goes to standard output"))
      ->type_name("FILE")
      ->allow_extra_args(false);
  check->add_flag("--set", raw.check.sets,
                  Description("The archives of each directory are also checked as one set, as "
                              "PCP opens a directory; those of a list A,B,... always are"));
  check->add_flag("--force", raw.check.force,
                  Description("Let --output overwrite files (never an archive's)"));
  check
      ->add_option(
          "--fail-on", raw.fail_on,
          Description(
              "Exit with 1 at findings of this severity or graver: error (default), warning, info"))
      ->check(CLI::IsMember(std::vector<std::string>{"error", "warning", "info"}).description(""))
      ->type_name("SEVERITY");
  check
      ->add_option(
          "--profile", raw.profile,
          Description(
              "archival (default), or live: allows what is normal while an archive is written"))
      ->check(CLI::IsMember(std::vector<std::string>{"archival", "live"}).description(""))
      ->type_name("PROFILE");
  check
      ->add_option(
          "--only", raw.only,
          Description(
              "Only rules about these parts, a list of label, index, metadata, data, set; rules "
              "about files are always checked"))
      ->delimiter(',')
      ->check(CLI::IsMember(PartNames()).description(""))
      ->type_name("PART,...")
      ->allow_extra_args(false);
  check
      ->add_option(
          "--rule", raw.rules,
          Description(
              "-ID leaves a rule out; +ID checks it beside those of --only, or, without --only, "
              "checks no other; may be repeated"))
      ->type_name("+ID|-ID")
      ->allow_extra_args(false);
  check
      ->add_option("--max-findings", raw.check.max_findings,
                   Description("Findings shown of one rule and severity (default: 20); one more "
                               "stands for the rest"))
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("N");
  check
      ->add_option("--memory", raw.check.memory,
                   Description("What one archive may take beside the mapping of its files "
                               "(default: 64M); beyond it the verdict is unknown"))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE");
  check->add_flag("--schema", raw.check.print_schema,
                  Description("Print the JSON Schema of --format json"));
  check->footer(std::string(kExitStatus) + "\n" + kCommonHint);
}

void AddOthers(CLI::App& app, Raw& raw) {
  CLI::App* list =
      app.add_subcommand("list", "List the validity rules and the checks of agents and collectors")
          ->group("Commands");
  list->add_option("--format", raw.list_format, Description("text (default) or json"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""))
      ->type_name("FORMAT");
  list->add_option(
          "--only", raw.list_only,
          Description(
              "Only rules about these parts: files, label, metadata, data, index, set; agent "
              "and collector stand for their checks"))
      ->delimiter(',')
      ->check(CLI::IsMember(ListableNames()).description(""))
      ->type_name("PART,...")
      ->allow_extra_args(false);
  list->footer(kCommonHint);
  CLI::App* explain =
      app.add_subcommand("explain",
                         "Explain a rule or check, or print a clause of the specification")
          ->group("Commands");
  explain
      ->add_option("ID", raw.explain.identifiers,
                   Description("Such as ARC-1102, CKA-030, ARC-208 or MET-211"))
      ->type_name("")
      ->required();
}

void AddDump(CLI::App& app, Raw& raw) {
  CLI::App* dump =
      app.add_subcommand("dump", "Show each record of each file, every byte accounted for")
          ->group("Commands");
  dump->add_option("ARCHIVE", raw.dump.archives,
                   Description("Base name, any file of an archive, or a directory"))
      ->type_name("")
      ->required();
  dump->add_option("--format", raw.dump_format, Description("text (default) or jsonl"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "jsonl"}).description(""))
      ->type_name("FORMAT");
  dump->add_flag("--hex", raw.dump.hex, Description("Also the bytes of each record"));
  dump->add_flag("--full", raw.dump.full,
                 Description("Names of instances of more than 4 KiB as well, and all of names that "
                             "share their bytes with others"));
  dump->footer("Exit status: 1 if bytes belong to no record that can be decoded.");
}

void AddInfo(CLI::App& app, Raw& raw) {
  CLI::App* info = app.add_subcommand("info", "Show what archives hold: label, files, span, counts")
                       ->group("Commands");
  info->add_option("ARCHIVE", raw.info.archives,
                   Description("Base name, any file of an archive, or a directory: each archive "
                               "below it"))
      ->type_name("");
  info->add_option("--format", raw.info_format, Description("text (default) or json"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""))
      ->type_name("FORMAT");
  info->add_flag("--schema", raw.info.print_schema,
                 Description("Print the JSON Schema of --format json"));
  info->footer(
      std::string("Exit status: 0 where something could be shown of each, 2 wrong usage, ") +
      "4 an input is missing or\nno PCP archive at all, 6 a memory budget was exceeded.\n" +
      kCommonHint);
}

NothingToRun Usage(const std::string& message, const std::string& command) {
  return {ExitStatus::kUsage, "pmproof: " + Displayable(message) + "\nSee pmproof " + command +
                                  (command.empty() ? "" : " ") + "--help.\n"};
}

std::vector<RulePart> Parts(const std::vector<std::string>& names) {
  std::vector<RulePart> parts;
  for (const std::string& name : names) {
    if (const auto part = ParseRulePart(name)) parts.push_back(*part);
  }
  return parts;
}

tl::expected<std::vector<OutputRequest>, NothingToRun> Outputs(const Raw& raw) {
  std::vector<std::string> formats = raw.formats;
  if (formats.empty()) formats.emplace_back("text");
  if (raw.outputs.size() > formats.size()) {
    return tl::unexpected(Usage("more --output than --format", "check"));
  }
  if (formats.size() > raw.outputs.size() + 1) {
    return tl::unexpected(
        Usage("only one --format can go to standard output: give the others an --output", "check"));
  }
  std::vector<OutputRequest> outputs;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    OutputRequest& output = outputs.emplace_back();
    output.format = ParseFormat(formats[i]).value_or(Format::kText);
    if (i < raw.outputs.size() && raw.outputs[i] != "-") output.path = raw.outputs[i];
  }
  const auto to_stdout = std::count_if(outputs.begin(), outputs.end(),
                                       [](const OutputRequest& output) { return !output.path; });
  if (to_stdout > 1) {
    return tl::unexpected(Usage("only one --format can go to standard output", "check"));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[i].path == outputs[j].path) {
        return tl::unexpected(Usage("two --output name one file: " + *outputs[i].path, "check"));
      }
    }
  }
  return outputs;
}

tl::expected<CheckArguments, NothingToRun> Check(const Raw& raw, const Catalogue& catalogue) {
  CheckArguments check = raw.check;
  if (check.print_schema) return check;
  if (check.archives.empty()) return tl::unexpected(Usage("no ARCHIVE given", "check"));
  auto outputs = Outputs(raw);
  if (!outputs) return tl::unexpected(std::move(outputs.error()));
  check.outputs = *std::move(outputs);
  check.fail_on = ParseSeverity(raw.fail_on).value_or(Severity::kError);
  check.profile = ParseProfile(raw.profile).value_or(Profile::kArchival);
  check.rules.only = Parts(raw.only);
  std::vector<Clause> identifiers;
  for (const Rule& rule : catalogue.rules()) identifiers.push_back(rule.id);
  for (const std::string& text : raw.rules) {
    const bool signed_text = text.starts_with('+') || text.starts_with('-');
    const std::string name = signed_text ? text.substr(1) : text;
    const std::optional<Clause> rule = ParseIdentifier(name);
    if (!rule || catalogue.Find(*rule) == nullptr) {
      std::string message = "--rule: there is no rule " + name;
      for (const Clause near : Nearest(name, identifiers)) {
        message += (message.find("; nearest: ") == std::string::npos ? "; nearest: " : ", ") +
                   near.ToString();
      }
      return tl::unexpected(Usage(message, "check"));
    }
    (text.starts_with('-') ? check.rules.removed : check.rules.added).push_back(*rule);
  }
  const bool any =
      std::any_of(catalogue.rules().begin(), catalogue.rules().end(), [&](const Rule& rule) {
        return check.rules.Selects(rule) && rule.In(check.profile).has_value();
      });
  if (!any)
    return tl::unexpected(Usage("--rule, --only and --profile leave no rule to check", "check"));
  return check;
}

// What to say where no command was recognised.
std::string NoCommand(const CLI::App& app) {
  std::string commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!commands.empty()) commands += ", ";
    commands += command->get_name();
  }
  for (const std::string& argument : app.remaining()) {
    if (!argument.starts_with('-')) {
      return "there is no command " + argument + "; commands: " + commands;
    }
  }
  return "no command given; commands: " + commands;
}

}  // namespace

tl::expected<CommandLine, NothingToRun> ParseCommandLine(const std::vector<std::string>& arguments,
                                                         const Catalogue& catalogue) {
  Raw raw;
  CLI::App app("Conformance checks for Performance Co-Pilot archives", "pmproof");
  app.set_version_flag("--version",
                       std::string("pmproof ") + kVersion + " (rules " + catalogue.digest() + ")");
  app.require_subcommand(1);
  app.fallthrough();
  app.get_formatter()->column_width(kDescriptionColumn);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");

  AddCommon(app, raw);
  AddCheck(app, raw);
  AddInfo(app, raw);
  AddDump(app, raw);
  AddReplay(app, Description, kCommonHint, &raw.replay);
  AddRules(app, Description, kCommonHint, &raw.profiles);
  AddUnits(app, Description, kCommonHint, &raw.units);
  AddDerive(app, Description, kCommonHint, &raw.derive);
  AddAgent(app, Description, kCommonHint, &raw.agent);
  AddCollector(app, Description, kCommonHint, &raw.collector);
  AddCompare(app, Description, kCommonHint, &raw.compare);
  AddRewrite(app, Description, kCommonHint, &raw.rewrite);
  AddGenerate(app, Description, kCommonHint, &raw.generate);
  AddEnumerate(app, Description, kCommonHint, &raw.enumerate);
  AddMutate(app, Description, kCommonHint, &raw.mutate);
  AddShrink(app, Description, kCommonHint, &raw.shrink);
  AddTestee(app, Description, kCommonHint, &raw.testee);
  AddOthers(app, raw);
  try {
    // CLI11 takes the arguments from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && chosen.empty()) {
      return tl::unexpected(Usage(NoCommand(app), command));
    }
    if (error.get_exit_code() != 0) {
      return tl::unexpected(Usage(error.what(), command));
    }
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
      return tl::unexpected(NothingToRun{ExitStatus::kOk, std::string(error.what()) + "\n"});
    }
    return tl::unexpected(NothingToRun{ExitStatus::kOk, app.help()});
  }

  CommandLine result;
  result.common.colour = raw.colour;
  result.common.progress = raw.progress;
  result.common.jobs = raw.jobs > 0 ? raw.jobs : std::max(1U, std::thread::hardware_concurrency());
  result.common.quiet = raw.quiet;
  if (app.got_subcommand("check")) {
    tl::expected<CheckArguments, NothingToRun> check = Check(raw, catalogue);
    if (!check) return tl::unexpected(std::move(check.error()));
    result.command = *std::move(check);
  } else if (app.got_subcommand("info")) {
    if (raw.info.archives.empty() && !raw.info.print_schema) {
      return tl::unexpected(Usage("no ARCHIVE given", "info"));
    }
    raw.info.json = raw.info_format == "json";
    result.command = std::move(raw.info);
  } else if (app.got_subcommand("dump")) {
    raw.dump.json_lines = raw.dump_format == "jsonl";
    result.command = std::move(raw.dump);
  } else if (app.got_subcommand("rewrite")) {
    result.command = std::move(raw.rewrite);
  } else if (app.got_subcommand("generate")) {
    result.command = std::move(raw.generate);
  } else if (app.got_subcommand("enumerate")) {
    result.command = std::move(raw.enumerate);
  } else if (app.got_subcommand("mutate")) {
    result.command = std::move(raw.mutate);
  } else if (app.got_subcommand("shrink")) {
    result.command = std::move(raw.shrink);
  } else if (app.got_subcommand("replay")) {
    result.command = std::move(raw.replay);
  } else if (app.got_subcommand("units")) {
    result.command = std::move(raw.units);
  } else if (app.got_subcommand("derive")) {
    result.command = std::move(raw.derive);
  } else if (app.got_subcommand("agent")) {
    result.command = std::move(raw.agent);
  } else if (app.got_subcommand("collector")) {
    result.command = std::move(raw.collector);
  } else if (app.got_subcommand("compare")) {
    result.command = std::move(raw.compare);
  } else if (app.got_subcommand("testee")) {
    result.command = raw.testee;
  } else if (app.got_subcommand("rules")) {
    const std::string missing = raw.profiles.lists ? "" : MissingArgument(raw.profiles.diff);
    if (!missing.empty()) return tl::unexpected(Usage(missing, "rules diff"));
    result.command = std::move(raw.profiles);
  } else if (app.got_subcommand("list")) {
    ListArguments list{.json = raw.list_format == "json", .only = Parts(raw.list_only)};
    for (const std::string& part : kCheckParts) {
      if (std::find(raw.list_only.begin(), raw.list_only.end(), part) != raw.list_only.end()) {
        list.checks.push_back(part);
      }
    }
    result.command = std::move(list);
  } else {
    result.command = std::move(raw.explain);
  }
  return result;
}

}  // namespace pmproof::validator
