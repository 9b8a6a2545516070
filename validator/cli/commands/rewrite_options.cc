#include "validator/cli/commands/rewrite_options.h"

#include <map>

namespace pmproof::validator {
namespace {

const std::map<std::string, archive::Compression> kCompressions = {
    {"none", archive::Compression::kNone},
    {"xz", archive::Compression::kXz},
    {"gz", archive::Compression::kGzip},
    {"bz2", archive::Compression::kBzip2},
    {"zstd", archive::Compression::kZstd}};

constexpr char kFooter[] =
    "Without an option each file of OUT is byte for byte that of IN, compressed ones included;\n"
    "an IN that readers refuse is refused.\n"
    "Exit status: 0 done; 1 IN is damaged, or cannot be expressed in the other version;\n"
    "2 wrong usage, or OUT exists; 4 IN is missing or no PCP archive; 5 OUT could not be written;\n"
    "6 a memory budget was exceeded. OUT is complete or not there at all.\n";

}  // namespace

void AddRewrite(CLI::App& app, std::string (*describe)(const char* text), const char* hint,
                RewriteArguments* arguments) {
  CLI::App* rewrite =
      app.add_subcommand("rewrite", "Decode an archive and encode it again")->group("Commands");
  rewrite
      ->add_option("IN", arguments->in,
                   describe("Base name, any file of an archive, or a directory with one archive; "
                            "never written to"))
      ->type_name("")
      ->required();
  rewrite->add_option("OUT", arguments->out, describe("Base name of the new archive"))
      ->type_name("")
      ->required();
  rewrite
      ->add_option_function<int>(
          "--archive-version", [arguments](const int& version) { arguments->version = version; },
          describe("Convert to version 2 or 3; what cannot be expressed is an error"))
      ->check(CLI::IsMember(std::vector<int>{2, 3}).description(""))
      ->type_name("2|3");
  rewrite
      ->add_option_function<std::string>(
          "--compress",
          [arguments](const std::string& name) { arguments->compression = kCompressions.at(name); },
          describe("none, xz, gz, bz2 or zstd, for every file (default: each as in IN)"))
      ->check(CLI::IsMember(kCompressions).description(""))
      ->type_name("METHOD");
  rewrite->add_flag("--force", arguments->force, describe("Replace an archive called OUT"));
  rewrite->footer(std::string(kFooter) + hint);
}

}  // namespace pmproof::validator
