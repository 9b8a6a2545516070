// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/rules_bisect_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "reference/archive/archive_output.h"
#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "validator/bisect/archive_questions.h"
#include "validator/bisect/bisect_report.h"
#include "validator/bisect/questions.h"
#include "validator/cli/command_support.h"
#include "validator/cli/commands/rules_sides.h"
#include "validator/cli/report_writing.h"
#include "validator/output/report_file.h"
#include "validator/protocol_check/run_watch.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomQuestions = 150;
constexpr std::size_t kQuestionsOfArchive = 60;
constexpr std::size_t kShortestLimit = std::size_t{1} << 20;

// Where generated archives are for as long as this lives: a new folder in `parent`, or in that of
// temporary files.
class Scratch {
 public:
  explicit Scratch(const std::string& parent) {
    std::error_code error;
    const fs::path in =
        parent.empty() ? fs::temp_directory_path(error) : fs::absolute(parent, error);
    std::string pattern = (in / "pmproof-bisect-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { Remove(); }

  void Remove() const {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }

  const std::string& path() const { return path_; }  // empty if there is none

 private:
  std::string path_;
};

class RulesBisect {
 public:
  RulesBisect(const RulesBisectArguments& arguments, const CommonArguments& common,
              const Environment& environment)
      : arguments_(arguments),
        common_(common),
        environment_(environment),
        storage_(environment.storage),
        space_(environment.profiles(replay::CounterWrap::kOff)) {}

  ExitStatus Run() {
    SideOptions options;
    options.profiles = space_.profiles();
    options.patience = std::chrono::milliseconds(std::llround(arguments_.patience * 1000));
    options.longest_line = std::max(kShortestLimit, arguments_.memory.budget().bytes() / 8);
    auto choice = ChooseSide(arguments_.implementation, options);
    if (!choice) return Fail(ExitStatus::kUsage, choice.error());
    if (!choice->is_implementation()) {
      return Fail(ExitStatus::kUsage, arguments_.implementation +
                                          ": no implementation: exec:COMMAND is one, and "
                                          "qa/suite/suite rules bisect knows more");
    }
    ReportWriting reports(arguments_.outputs, environment_);
    if (const std::string refusal = reports.Refuse(arguments_.archives); !refusal.empty()) {
      return Fail(ExitStatus::kUsage, refusal);
    }
    if (const std::string refusal = RefuseWitnesses(); !refusal.empty()) {
      return Fail(ExitStatus::kUsage, refusal);
    }
    std::optional<Scratch> scratch(arguments_.scratch);
    if (scratch->path().empty()) {
      return Fail(ExitStatus::kInternal, "no folder for generated archives can be made");
    }
    RunWatch watch("rules bisect", environment_.err, {.clean_up = [&] { scratch->Remove(); }},
                   "question");
    Adapter adapter(std::get<AdapterCommand>(choice->what));
    if (const auto started = adapter.Start(); !started) {
      return Fail(ExitStatus::kTesteeFailed, choice->name + " " + started.error().text);
    }
    const AdapterHello hello = adapter.hello();
    report_.implementation = {SideNote::Kind::kImplementation,
                              arguments_.name.value_or(choice->name),
                              hello.name + (hello.version.empty() ? "" : " ") + hello.version,
                              {}};
    {
      TesteeRespondent respondent(std::move(adapter), scratch->path());
      Prepare(watch);
      report_.questions = questions_.size();
      Bisect(respondent, watch);
    }
    if (watch.Interrupted()) {
      scratch.reset();
      watch.Obey();
    }
    if (questions_.empty()) return NothingToAsk();
    const auto failed =
        reports.Write(common_, [&](const std::string& format, const Screen& screen,
                                   std::ostream& out) { Render(format, screen, out); });
    return failed ? *failed : StatusOf();
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    return validator::Fail(environment_, status, message);
  }

  std::string RefuseWitnesses() const {
    std::error_code error;
    const std::string& folder = arguments_.witnesses;
    if (folder.empty() || !fs::exists(folder, error)) return "";
    if (fs::is_directory(folder, error) && fs::is_empty(folder, error)) return "";
    return "--witnesses: " + folder + " is there, and no empty folder";
  }

  void Take(const Question& question) {
    if (auto predicted = PredictAll(question, space_)) questions_.push_back(*std::move(predicted));
  }

  void Prepare(const RunWatch& watch) {
    if (arguments_.archives.empty()) {
      for (const Question& question : SmallestQuestions()) Take(question);
      for (std::size_t i = 0; i < kRandomQuestions && !watch.stop(); ++i) {
        if (const auto question = RandomQuestion(i)) Take(*question);
      }
      return;
    }
    archive::ArchiveNames found =
        archive::ListArchives(storage_, arguments_.archives, /*recursive=*/true);
    report_.unused = std::move(found.errors);
    for (const std::string& name : found.names) {
      if (!watch.stop()) PrepareArchive(name);
    }
  }

  void PrepareArchive(const std::string& name) {
    std::error_code error;
    const fs::path path = fs::absolute(name, error);
    auto archives = MetricsToAsk(storage_, error ? name : path.lexically_normal().string(),
                                 arguments_.metrics, arguments_.memory.budget().Answers());
    if (!archives) {
      Status why = archives.error();
      if (why.file.empty()) why.message = name + ": " + why.message;
      report_.unused.push_back(std::move(why));
      return;
    }
    const std::size_t before = questions_.size();
    for (std::size_t i = 0; i < kQuestionsOfArchive; ++i) {
      Question question = RandomQuestionOver((*archives)[i % archives->size()], i);
      // Where PCP may crash, or too much interacts, a shorter script may do.
      const std::size_t taken = questions_.size();
      while (questions_.size() == taken && question.steps.size() >= 3) {
        Take(question);
        question.steps.resize(question.steps.size() / 2);
      }
    }
    if (questions_.size() > before) {
      report_.archives.push_back(name);
    } else {
      report_.unused.push_back(Status{
          .kind = Status::Kind::kUsage,
          .message = name + ": all hypotheses answer alike, or nothing is known of what PCP does"});
    }
  }

  ExitStatus NothingToAsk() const {
    bool unreadable = false;
    bool budget = false;
    for (const Status& why : report_.unused) {
      validator::Fail(environment_, ExitStatus::kUsage, why.ToText());
      budget = budget || why.kind == Status::Kind::kBudget;
      unreadable = unreadable ||
                   (why.kind != Status::Kind::kUsage && why.kind != Status::Kind::kUnsupported);
    }
    return Fail(budget       ? ExitStatus::kBudget
                : unreadable ? ExitStatus::kUnreadable
                             : ExitStatus::kUsage,
                "there was nothing to ask");
  }

  void Bisect(TesteeRespondent& respondent, RunWatch& watch) {
    if (questions_.empty()) return;
    const bool bar = WantsBar(common_, environment_);
    const auto say = [&](const std::string& line) {
      if (bar) environment_.err << "\r\x1b[K" << line << std::flush;
    };
    SearchOptions options;
    options.questions = arguments_.questions;
    options.stop = [&] { return watch.stop(); };
    options.progress = [&](std::size_t done, std::size_t all, std::size_t left) {
      watch.Progress(done, all);
      say(Plural(done, "question") + " asked, " + std::to_string(left) +
          (left == 1 ? " hypothesis" : " hypotheses") + " left");
    };
    report_.found = Search(space_, questions_, respondent, options);
    say("");
    if (watch.stop() || report_.found.differing == 0 || report_.found.asked.empty()) return;
    const MachineCheck machine(common_, environment_);
    say("looking for the smallest witnesses");
    const WitnessOptions witnesses{
        .stop = options.stop,
        .budget = std::chrono::milliseconds(std::llround(arguments_.budget * 1000)),
        .storage = storage_,
        .catalogue = environment_.catalogue,
        .check = machine.options};
    report_.witnesses = FindWitnesses(space_, questions_, report_.found, respondent, witnesses);
    say("");
    if (!arguments_.witnesses.empty() && !watch.stop()) Keep();
  }

  // Each witness in a folder of its own: the archive, and the request as a line.
  void Keep() {
    const auto output = archive::MakePosixOutput();
    for (std::size_t i = 0; i < report_.witnesses.size(); ++i) {
      const Question& question = report_.witnesses[i].question;
      std::error_code error;
      const fs::path folder = fs::absolute(arguments_.witnesses, error) / std::to_string(i + 1);
      fs::create_directories(folder, error);
      std::string path = question.archive->name();
      if (question.archive->files() != nullptr) {
        path = (folder / path).string();
        if (auto unwritten = WriteFiles(*output, path, *question.archive->files(), {})) {
          report_.unused.push_back(*std::move(unwritten));
          return;
        }
      }
      const std::string request = TesteeRespondent::RequestOf(question, path, "witness") + '\n';
      if (auto unwritten = WriteReport(*output, (folder / "request.json").string(),
                                       [&](std::ostream& out) { out << request; })) {
        report_.unused.push_back(*std::move(unwritten));
        return;
      }
      report_.kept.push_back(folder.string());
    }
  }

  void Render(const std::string& format, const Screen& screen, std::ostream& out) const {
    if (format == "json") return RenderBisectJson(report_, space_, out);
    RenderBisectText(report_, space_, screen, out);
  }

  ExitStatus StatusOf() const {
    for (const Status& why : report_.unused) {
      if (why.kind == Status::Kind::kBudget) return ExitStatus::kBudget;
      if (why.kind != Status::Kind::kUsage && why.kind != Status::Kind::kUnsupported) {
        return ExitStatus::kUnreadable;
      }
    }
    const SearchResult& found = report_.found;
    if (found.broke || found.asked.empty()) return ExitStatus::kTesteeFailed;
    return found.differing > 0 ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  const RulesBisectArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
  const archive::LossWatch storage_;
  HypothesisSpace space_;
  std::vector<PredictedQuestion> questions_;
  BisectReport report_;
};

}  // namespace

ExitStatus RunRulesBisect(const RulesBisectArguments& arguments, const CommonArguments& common,
                          const Environment& environment) {
  return RulesBisect(arguments, common, environment).Run();
}

}  // namespace pmproof::validator
