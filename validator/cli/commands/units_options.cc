#include <map>

#include "validator/cli/commands/units_arguments.h"

namespace pmproof::validator {
namespace {

const std::map<std::string, MetricType> kTypes = {
    {"32", MetricType::k32},   {"u32", MetricType::kU32},     {"64", MetricType::k64},
    {"u64", MetricType::kU64}, {"float", MetricType::kFloat}, {"double", MetricType::kDouble}};

const std::map<std::string, PcpVersion> kVersions = {
    {"6.0.3", PcpVersion::k6_0_3}, {"6.3.8", PcpVersion::k6_3_8}, {"7.2.2", PcpVersion::k7_2}};

constexpr char kFooter[] =
    "UNITS are written as PCP prints and reads them: 'Mbyte / sec', '2 KB/min', 'count x 10^3',\n"
    "'power (W)'; '' is none. Multipliers in UNITS count: 10 of 'KB' are 5 of '2KB'.\n"
    "Exit status: 0 done; 1 UNITS are none that PCP reads, or can not be converted; 2 wrong "
    "usage.\n";

}  // namespace

void AddUnits(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
              UnitsArguments* arguments) {
  CLI::App* units = app.add_subcommand("units", "Read, print and convert units")->group("Commands");
  units->add_option("UNITS", arguments->text, describe("The units of a metric, as text"))
      ->type_name("")
      ->required();
  units->add_option("--to", arguments->to, describe("Convert a value to these units"))
      ->type_name("UNITS");
  units->add_option("--value", arguments->value, describe("The value to convert (default: 1)"))
      ->type_name("NUMBER");
  units
      ->add_option("--type", arguments->type,
                   describe("Convert as a value of this type, with its rounding and wraps: 32, "
                            "u32, 64, u64, float or double (default)"))
      ->transform(CLI::CheckedTransformer(kTypes).description(""))
      ->type_name("TYPE");
  units
      ->add_option("--pcp", arguments->version,
                   describe("As this version of PCP: 6.0.3, 6.3.8 or 7.2.2 (default)"))
      ->transform(CLI::CheckedTransformer(kVersions).description(""))
      ->type_name("VERSION");
  units
      ->add_option_function<std::string>(
          "--format",
          [arguments](const std::string& format) { arguments->json = format == "json"; },
          describe("text (default) or json"))
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""))
      ->type_name("FORMAT");
  units->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
