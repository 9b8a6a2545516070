// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/arbitrary/story_generation.h"
#include "generators/generate.h"
#include "generators/scenarios/scenario.h"
#include "reference/archive/archive_output.h"
#include "reference/archive/output_storage.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/compression_names.h"
#include "validator/cli/output_name.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/synthesis/generate_described.h"
#include "validator/synthesis/write_generated.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

// Of one archive; beyond it the truth is written only where it is asked for.
constexpr std::uint64_t kLargestWithTruth = std::uint64_t{64} << 20;

struct GenerateArguments {
  std::optional<std::string> description;  // a file, instead of all up to `truth`
  std::optional<bool> sound_story;         // a story by chance; false: anything can happen in it
  std::uint64_t seed = 1;
  std::vector<std::string> scenarios;  // none: the plain one
  std::optional<std::uint64_t> records;
  std::optional<std::uint64_t> metrics;
  std::optional<std::uint64_t> instances;
  std::optional<std::uint64_t> volumes;
  std::optional<std::uint64_t> size;  // bytes of the data volumes together
  int version = 3;
  archive::Compression compression = archive::Compression::kNone;
  bool truth = false;  // asked for, whatever its size
  bool no_truth = false;
  bool force = false;
  bool list = false;
  std::string out;
};

std::string Joined(const std::vector<Clause>& clauses, const char* between) {
  std::string text;
  for (const Clause clause : clauses) text += (text.empty() ? "" : between) + clause.ToString();
  return text;
}

// The scenarios, a line each.
ExitStatus List(const Environment& environment) {
  const Screen& screen = environment.out_screen;
  constexpr std::size_t kNameColumn = 18;
  constexpr std::size_t kVersionColumn = 9;
  const auto row = [&](std::string name, std::string version, const std::string& what) {
    name.resize(std::max(kNameColumn, name.size() + 1), ' ');
    version.resize(kVersionColumn, ' ');
    environment.out << name << version
                    << (screen.terminal ? Wrap(what, screen.width, kNameColumn + kVersionColumn)
                                        : what)
                    << '\n';
  };
  row("scenario", "version", "what is in the archive [clauses]; the rules that it breaks");
  const std::vector<generators::ScenarioKind> table = generators::AllScenarios();
  for (const generators::ScenarioKind& kind : table) {
    std::string what = std::string(kind.what) + " [" + Joined(kind.clauses, ", ") + "]";
    if (!kind.rules.empty()) what += "; breaks " + Joined(kind.rules, ", ");
    if (!kind.set_rules.empty()) what += "; breaks as a set " + Joined(kind.set_rules, ", ");
    row(std::string(kind.name), kind.version == 0 ? "2, 3" : std::to_string(kind.version), what);
  }
  environment.out << Plural(table.size(), "scenario")
                  << "; any of them can be combined: --scenario marks,types,deltas\n";
  return ExitStatus::kOk;
}

class Generate {
 public:
  Generate(const GenerateArguments& arguments, const CommonArguments& common,
           const Environment& environment)
      : arguments_(arguments), common_(common), environment_(environment) {}

  ExitStatus Run() {
    const auto generation = Asked();
    if (!generation) return Fail(ExitStatus::kUsage, generation.error().ToText());

    WriteGeneratedOptions options;
    options.compression = arguments_.compression;
    const bool large = (*generation)->ExpectedBytes() > kLargestWithTruth;
    options.truth = !arguments_.no_truth && (arguments_.truth || !large);
    for (const std::string& name : GeneratedNames(arguments_.out, (*generation)->archives())) {
      if (const std::string refusal = RefuseBaseName(environment_.storage, name); !refusal.empty())
        return Fail(ExitStatus::kUsage, name + ": " + refusal);
      for (std::string& file : Present(name)) options.replaced.push_back(std::move(file));
    }
    if (const std::string refusal = RefuseReplacing(options.replaced, {}, arguments_.force);
        !refusal.empty()) {
      return Fail(ExitStatus::kUsage, refusal);
    }
    return Write(**generation, std::move(options));
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  Result<std::unique_ptr<generators::Generation>> Asked() const {
    if (arguments_.sound_story) {
      generators::StoryRecipe recipe{.seed = arguments_.seed, .sound = *arguments_.sound_story};
      recipe.steps = arguments_.records.value_or(recipe.steps);
      recipe.metrics = arguments_.metrics.value_or(recipe.metrics);
      return generators::GenerationOf(recipe);
    }
    return generators::Generation::Of({arguments_.seed, arguments_.scenarios, arguments_.records,
                                       arguments_.metrics, arguments_.instances, arguments_.volumes,
                                       arguments_.size, arguments_.version});
  }

  // What is in the way of an archive and its truth.
  std::vector<std::string> Present(const std::string& name) const {
    std::vector<std::string> files = archive::FilesOf(environment_.storage, name);
    if (environment_.storage.KindOf(TruthName(name))) files.push_back(TruthName(name));
    return files;
  }

  ExitStatus Write(generators::Generation& generation, WriteGeneratedOptions options) const {
    Interruption interruption;
    interruption.Defer();
    Result<Generated> generated = tl::unexpected(Status{});
    {
      std::unique_ptr<ProgressBar> bar;
      if (WantsBar(common_, environment_)) {
        bar = std::make_unique<ProgressBar>(environment_.err);
        bar->Expect(generation.archives(), generation.archives() * generation.ExpectedBytes());
        options.progress = [&bar](std::uint64_t bytes) { bar->AddBytes(bytes); };
        options.archive_done = [&bar] { bar->ArchiveDone(); };
      }
      options.stop = [&interruption] { return interruption.wished(); };
      InterruptibleOutput output(archive::MakePosixOutput(), [&] { return interruption.wished(); });
      generated = WriteGenerated(generation, output, arguments_.out, options);
    }
    if (!generated) {
      const Status& error = generated.error();
      const bool usage = error.kind == Status::Kind::kUsage;
      return FailToWrite(environment_, interruption,
                         usage ? ExitStatus::kUsage : ExitStatus::kInternal, error.ToText());
    }
    if (!common_.quiet) Tell(generation, *generated, options.truth);
    return ExitStatus::kOk;
  }

  void Tell(const generators::Generation& generation, const Generated& generated,
            bool truth) const {
    std::string text = Displayable(arguments_.out) + ": ";
    if (generation.archives() > 1) text += Plural(generation.archives(), "archive") + ", ";
    text += Plural(generated.results, "data record");
    if (generated.marks > 0) text += " (" + Plural(generated.marks, "mark") + ")";
    text += ", " + ByteSize(generated.bytes);
    std::vector<Clause> rules;
    if (generation.violates() != nullptr) rules = *generation.violates();
    rules.insert(rules.end(), generation.set_violates().begin(), generation.set_violates().end());
    if (!truth && !arguments_.no_truth) {
      text += "; without a truth, which would be several times as large: --truth writes it";
    }
    if (!rules.empty()) text += "; breaks " + Joined(rules, ", ") + " as its scenarios do";
    environment_.err << text << '\n';
  }

  const GenerateArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

class GenerateCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operand("OUT", "Base name of the new archive", &arguments_.out);
    options
        .Number("--seed", "N", "Other values, in the same order of events", 0, kMostNumber,
                &arguments_.seed)
        .Default("1");
    options
        .Texts("--scenario", "S,...",
               "What the archive is about: names of --list with commas between them",
               &arguments_.scenarios)
        .Delimiter(',');
    options
        .Number("--records", "N",
                "Samples of the archive; prologue, epilogue and marks come on top", 0, kMostNumber,
                &arguments_.records)
        .Default("100");
    options
        .Number("--metrics", "N", "Metrics beside those of the scenarios", 0, kMostNumber,
                &arguments_.metrics)
        .Default("10");
    options
        .Number("--instances", "N", "Instances that these have", 0, kMostNumber,
                &arguments_.instances)
        .Default("5");
    options
        .Number("--volumes", "N", "Data volumes of about the same size", 0, kMostNumber,
                &arguments_.volumes)
        .Default("1");
    options.Size("--size", "In place of --records: as many as make so many bytes, such as 256M",
                 &arguments_.size);
    options
        .Choice("--archive-version", "2|3", "Version of the archive format",
                std::vector<NamedValue<int>>{{"2", 2}, {"3", 3}}, &arguments_.version)
        .Default("3");
    options
        .Choice("--compress", "METHOD", "Compress every file", CompressionNames(),
                &arguments_.compression)
        .Default("none");
    options.Flag("--truth",
                 "Write OUT.truth.json, which is several times as large as the archive, also "
                 "beyond --size 64M",
                 &arguments_.truth);
    options.Flag("--no-truth", "Do not write OUT.truth.json", &arguments_.no_truth)
        .Excludes({"--truth"});
    options.Flag("--force", "Replace an archive called OUT and its truth", &arguments_.force);
    options.Flag("--list", "List the scenarios", &arguments_.list);
    options
        .Choice("--story", "sound|any",
                "In place of scenarios: metrics, instances, labels, values and what happens to "
                "them by chance, in at most --records (30) steps with at most --metrics (6). Of a "
                "sound story check reports nothing; in any story rules may be broken, and the "
                "truth does not say which",
                std::vector<NamedValue<bool>>{{"sound", true}, {"any", false}},
                &arguments_.sound_story)
        .Excludes({"--scenario", "--instances", "--volumes", "--size", "--archive-version"});
    options
        .Text("--description", "FILE",
              "In place of all that: write the small archive that FILE describes in JSON "
              "(pmproof-archive/1), without a truth",
              &arguments_.description)
        .Excludes({"--seed", "--scenario", "--records", "--metrics", "--instances", "--volumes",
                   "--size", "--archive-version", "--compress", "--truth", "--no-truth", "--list",
                   "--story"});
    options
        .Notes(
            "Same arguments, same bytes, on every machine. OUT.truth.json says what is in the "
            "archive; "
            "`violates` in it are the rules that its scenarios break by their nature, of which "
            "check finds "
            "exactly these. Scenarios of several archives write OUT-1, OUT-2, ...")
        .Examples({"pmproof generate --scenario marks,types --records 1000 /tmp/a",
                   "pmproof generate --story any --seed 7 /tmp/s",
                   "pmproof generate --size 256M --volumes 4 --compress zstd /tmp/b",
                   "pmproof generate --description archive.json /tmp/c"})
        .ExitStatuses(
            "0 done; 2 wrong usage, OUT exists, or FILE describes no archive; 4 FILE cannot be "
            "read; 5 OUT "
            "could not be written. What is written is complete or not there at all");
  }

  std::string Wrong(const Catalogue&) override {
    return arguments_.out.empty() && !arguments_.list ? "no OUT given" : "";
  }

  ExitStatus Run(const CommonArguments& common, const Environment& environment) override {
    if (arguments_.list) return List(environment);
    if (arguments_.description) {
      return GenerateDescribed({*arguments_.description, arguments_.out, arguments_.force}, common,
                               environment);
    }
    return Generate(arguments_, common, environment).Run();
  }

 private:
  GenerateArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeGenerate() { return std::make_unique<GenerateCommand>(); }

}  // namespace pmproof::validator
