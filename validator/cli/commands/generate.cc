#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/generate.h"
#include "generators/scenarios/scenario.h"
#include "reference/archive/archive_output.h"
#include "reference/archive/output_storage.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/synthesis.h"
#include "validator/cli/output_name.h"
#include "validator/synthesis/generate_described.h"
#include "validator/synthesis/interruption.h"
#include "validator/synthesis/write_generated.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

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
    if (arguments_.out.empty()) return Fail(ExitStatus::kUsage, "no OUT given");
    const auto generation = generators::Generation::Of(
        {arguments_.seed, arguments_.scenarios, arguments_.records, arguments_.metrics,
         arguments_.instances, arguments_.volumes, arguments_.size, arguments_.version});
    if (!generation) return Fail(ExitStatus::kUsage, generation.error().ToText());

    WriteGeneratedOptions options;
    options.compression = arguments_.compression;
    options.truth = arguments_.truth;
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

  // What is in the way of an archive and its truth.
  std::vector<std::string> Present(const std::string& name) const {
    std::vector<std::string> files = archive::FilesOf(environment_.storage, name);
    if (environment_.storage.KindOf(TruthName(name))) files.push_back(TruthName(name));
    return files;
  }

  ExitStatus Write(generators::Generation& generation, WriteGeneratedOptions options) const {
    Interruption interruption;
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
      const auto output = archive::MakePosixOutput();
      generated = WriteGenerated(generation, *output, arguments_.out, options);
    }
    if (!generated) {
      const Status& error = generated.error();
      const bool usage = error.kind == Status::Kind::kUsage;
      const ExitStatus status =
          Fail(usage ? ExitStatus::kUsage : ExitStatus::kInternal, error.ToText());
      interruption.Obey();
      return status;
    }
    if (!common_.quiet) Tell(generation, *generated);
    return ExitStatus::kOk;
  }

  void Tell(const generators::Generation& generation, const Generated& generated) const {
    std::string text = Displayable(arguments_.out) + ": ";
    if (generation.archives() > 1) text += Plural(generation.archives(), "archive") + ", ";
    text += Plural(generated.results, "data record");
    if (generated.marks > 0) text += " (" + Plural(generated.marks, "mark") + ")";
    text += ", " + ByteSize(generated.bytes);
    std::vector<Clause> rules = generation.violates();
    rules.insert(rules.end(), generation.set_violates().begin(), generation.set_violates().end());
    if (!rules.empty()) text += "; breaks " + Joined(rules, ", ") + " as its scenarios do";
    environment_.err << text << '\n';
  }

  const GenerateArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
};

}  // namespace

ExitStatus RunGenerate(const GenerateArguments& arguments, const CommonArguments& common,
                       const Environment& environment) {
  if (arguments.list) return List(environment);
  if (arguments.description) return GenerateDescribed(arguments, common, environment);
  return Generate(arguments, common, environment).Run();
}

}  // namespace pmproof::validator
