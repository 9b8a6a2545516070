// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/help.h"

#include <algorithm>

#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 26;  // where descriptions begin

constexpr char kCommonHint[] =
    "Every command also takes --color, --progress, --jobs, --quiet and --no-config: see pmproof "
    "--help.\n";

std::string Row(const std::string& left, const std::string& description) {
  std::string row = "  " + left;
  if (row.size() + 1 > kColumn) {
    row += "\n";
    row.append(kColumn, ' ');
  } else {
    row.append(kColumn - row.size(), ' ');
  }
  return row + Wrap(description, kWidth, kColumn) + "\n";
}

std::string Paragraph(const std::string& text) {
  return text.empty() ? "" : "\n" + Wrap(text, kWidth, 0) + "\n";
}

std::string NamesOf(const Option& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ",") + name;
  return option.value_name.empty() ? names : names + " " + option.value_name;
}

std::string DescriptionOf(const Option& option) {
  std::string text = option.help;
  if (!option.choices.empty()) {
    std::string choices;
    for (const std::string& choice : option.choices)
      choices += (choices.empty() ? "" : ", ") + choice;
    text += (text.empty() ? "" : ": ") + choices;
  }
  if (!option.default_value.empty()) text += " (default: " + option.default_value + ")";
  if (option.repeats && option.kind == Option::Kind::kValue) text += "; may be repeated";
  return text;
}

std::string Rows(const Options& options, bool operands) {
  std::string rows;
  for (const Option& option : options.all()) {
    if ((option.kind == Option::Kind::kOperand) != operands) continue;
    rows += Row(NamesOf(option) + (operands && option.repeats ? "..." : ""), DescriptionOf(option));
  }
  return rows;
}

std::string Usage(const CommandEntry& entry, const Options& options) {
  std::string usage = std::string("Usage: pmproof ") + entry.name + " [OPTIONS]";
  for (const Option& option : options.all()) {
    if (option.kind != Option::Kind::kOperand) continue;
    const std::string name = option.name() + (option.repeats ? "..." : "");
    usage += option.required ? " " + name : " [" + name + "]";
  }
  return usage + "\n";
}

}  // namespace

std::string ProgramHelp(const CommandTable& table, const Options& common) {
  std::string page =
      "Conformance checks for Performance Co-Pilot\nUsage: pmproof [OPTIONS] COMMAND ...\n\n"
      "Commands:\n";
  std::string_view group;
  for (const CommandEntry& entry : table.commands) {
    const std::string_view name = entry.name;
    const std::string_view first = name.substr(0, name.find(' '));
    if (first == name) {
      page += Row(entry.name, entry.summary);
    } else if (first != group) {
      const auto known = std::ranges::find_if(
          table.groups, [&](const CommandGroup& of) { return first == of.name; });
      // Without a group it stands beside the command that its name begins with.
      page += known == table.groups.end() ? Row(entry.name, entry.summary)
                                          : Row(known->name, known->summary);
      if (known != table.groups.end()) group = first;
    }
  }
  page += Row("help [COMMAND]",
              "Print the page of the program, or of a command; help --format json: all of them") +
          Row("version", "Print the version of the program and of its rules");
  return page + "\nOptions:\n" + Row("-h,--help", "Print this page, or that of a command") +
         Row("-V,--version", "Print the version of the program and of its rules") +
         Rows(common, /*operands=*/false) +
         Paragraph(
             "Exit status: 0 conformant, or done; 1 findings, or what the command calls so; 2 "
             "wrong usage; 3 an agent or a collector that is checked cannot be started or "
             "reached; 4 an input is missing, unreadable or not a PCP archive at all; 5 internal "
             "error of pmproof, or an output that could not be written; 6 a time or memory budget "
             "was exceeded, verdict unknown.");
}

std::string GroupHelp(const CommandTable& table, const CommandGroup& group) {
  const std::string prefix = std::string(group.name) + " ";
  std::string page = std::string(group.summary) + "\nUsage: pmproof " + prefix +
                     "COMMAND [OPTIONS] ...\n\nCommands:\n";
  for (const CommandEntry& entry : table.commands) {
    const std::string_view name = entry.name;
    if (name.starts_with(prefix)) page += Row(entry.name, entry.summary);
  }
  return page + "\n" + kCommonHint;
}

std::string CommandHelp(const CommandEntry& entry, const Options& options) {
  std::string page = std::string(entry.summary) + "\n" + Usage(entry, options);
  if (const std::string rows = Rows(options, /*operands=*/true); !rows.empty())
    page += "\nOperands:\n" + rows;
  page += "\nOptions:\n" + Row("-h,--help", "Print this page") + Rows(options, false);
  page += Paragraph(options.notes());
  if (!options.examples().empty()) {
    page += "\nExamples:\n";
    for (const std::string& example : options.examples()) page += "  " + example + "\n";
  }
  return page + Paragraph("Exit status: " + options.exit_statuses()) + kCommonHint;
}

}  // namespace pmproof::validator
