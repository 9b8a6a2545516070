#include <charconv>
#include <cstdint>
#include <map>
#include <string>

#include "validator/cli/commands/synthesis_arguments.h"

namespace pmproof::validator {
namespace {

const std::map<std::string, archive::Compression> kCompressions = {
    {"none", archive::Compression::kNone},
    {"xz", archive::Compression::kXz},
    {"gz", archive::Compression::kGzip},
    {"bz2", archive::Compression::kBzip2},
    {"zstd", archive::Compression::kZstd}};

// CLI11 takes "-1" for a very large number.
std::string RefuseNumber(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return text + " is more than 64 bits hold";
  return error != std::errc() || end != text.data() + text.size() ? text + " is not a number"
                                                                  : std::string();
}

std::string RefuseSize(const std::string& text) {
  return text.empty() || text[0] < '0' || text[0] > '9' ? text + " is not a size" : std::string();
}

constexpr char kFooter[] =
    "Same arguments, same bytes, on every machine. OUT.truth.json says what is in the archive;\n"
    "`violates` in it are the rules that its scenarios break by their nature, of which check "
    "finds\n"
    "exactly these. Scenarios of several archives write OUT-1, OUT-2, ...\n"
    "Examples: pmproof generate --scenario marks,types --records 1000 /tmp/a\n"
    "          pmproof generate --size 256M --volumes 4 --compress zstd /tmp/b\n"
    "          pmproof generate --description archive.json /tmp/c\n"
    "Exit status: 0 done; 2 wrong usage, OUT exists, or FILE describes no archive; 4 FILE can not "
    "be\n"
    "read; 5 OUT could not be written. What is written is complete or not there at all.\n";

}  // namespace

void AddGenerate(CLI::App& app, Describe describe, const char* hint, GenerateArguments* arguments) {
  CLI::App* generate = app.add_subcommand("generate", "Synthesise an archive and say what is in it")
                           ->group("Commands");
  const auto number = [&](const char* name, std::optional<std::uint64_t>* to, const char* what) {
    return generate
        ->add_option_function<std::uint64_t>(
            name, [to](const std::uint64_t& value) { *to = value; }, describe(what))
        ->check(RefuseNumber)
        ->type_name("N");
  };
  generate->add_option("OUT", arguments->out, describe("Base name of the new archive"))
      ->type_name("");
  generate
      ->add_option("--seed", arguments->seed,
                   describe("Other values, in the same order of events (default: 1)"))
      ->check(RefuseNumber)
      ->type_name("N");
  generate
      ->add_option("--scenario", arguments->scenarios,
                   describe("What the archive is about, names of --list with commas between them"))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("S,...");
  number("--records", &arguments->records,
         "Samples of the archive (default: 100); prologue, epilogue and marks come on top");
  number("--metrics", &arguments->metrics, "Metrics beside those of the scenarios (default: 10)");
  number("--instances", &arguments->instances, "Instances that these have (default: 5)");
  number("--volumes", &arguments->volumes, "Data volumes of about the same size (default: 1)");
  generate
      ->add_option_function<std::uint64_t>(
          "--size", [arguments](const std::uint64_t& value) { arguments->size = value; },
          describe("In place of --records: as many as make so many bytes, such as 256M"))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(RefuseSize)
      ->type_name("BYTES");
  generate
      ->add_option("--archive-version", arguments->version,
                   describe("Version of the archive format (default: 3)"))
      ->check(CLI::IsMember(std::vector<int>{2, 3}).description(""))
      ->type_name("2|3");
  generate
      ->add_option_function<std::string>(
          "--compress",
          [arguments](const std::string& name) { arguments->compression = kCompressions.at(name); },
          describe("none (default), xz, gz, bz2 or zstd, for every file of the archive"))
      ->check(CLI::IsMember(kCompressions).description(""))
      ->type_name("METHOD");
  generate->add_flag_callback(
      "--no-truth", [arguments] { arguments->truth = false; },
      describe("Do not write OUT.truth.json, which is several times as large"));
  generate->add_flag("--force", arguments->force,
                     describe("Replace an archive called OUT and its truth"));
  CLI::Option* const list =
      generate->add_flag("--list", arguments->list, describe("List the scenarios"));
  CLI::Option* const description =
      generate
          ->add_option_function<std::string>(
              "--description",
              [arguments](const std::string& file) { arguments->description = file; },
              describe("In place of all that: write the small archive that FILE describes in JSON "
                       "(pmproof-archive/1), without a truth"))
          ->type_name("FILE");
  for (const char* other :
       {"--seed", "--scenario", "--records", "--metrics", "--instances", "--volumes", "--size",
        "--archive-version", "--compress", "--no-truth"}) {
    description->excludes(generate->get_option(other));
  }
  description->excludes(list);
  generate->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
