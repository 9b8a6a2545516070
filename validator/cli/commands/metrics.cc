// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "validator/cli/command_support.h"
#include "validator/cli/command_table.h"
#include "validator/cli/identifier.h"
#include "validator/metrics/metric_list.h"
#include "validator/metrics/render_metrics.h"
#include "validator/replay/open_archive.h"
#include "validator/schema/metrics_schema.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

enum class MetricsFormat : std::uint8_t { kText, kJson, kCsv };

struct MetricsArguments {
  std::vector<std::string> archives;
  std::vector<std::string> names;
  MetricsFormat format = MetricsFormat::kText;
  Formulas formulas = Formulas::kQuote;
  bool instances = false;
  MemoryOption memory;
  bool print_schema = false;
};

class MetricsRun {
 public:
  MetricsRun(const MetricsArguments& arguments, const Environment& environment)
      : arguments_(arguments), environment_(environment), storage_(environment.storage) {}

  ExitStatus Run() {
    const auto archive = OpenForReplay(storage_, arguments_.archives, arguments_.memory.budget());
    if (!archive) {
      const bool budget = archive.error().kind == Status::Kind::kBudget;
      return Fail(environment_, budget ? ExitStatus::kBudget : ExitStatus::kUnreadable,
                  archive.error().ToText());
    }
    for (const Status& passed_over : (*archive)->passed_over()) {
      environment_.err << "pmproof: " << Displayable(passed_over.ToText()) << '\n';
    }
    const MetricList list = ListMetrics(**archive, arguments_.names);
    if (const std::optional<Status> loss = storage_.loss()) {
      return Fail(environment_, ExitStatus::kUnreadable, loss->ToText());
    }
    if (!list.unknown.empty()) return FailOfUnknown(**archive, list.unknown);
    Render(list);
    if (!environment_.out.flush()) {
      return Fail(environment_, ExitStatus::kInternal,
                  "standard output: the list could not be written");
    }
    return ExitStatus::kOk;
  }

 private:
  ExitStatus FailOfUnknown(const replay::ReplayArchive& archive,
                           const std::vector<std::string>& unknown) const {
    std::vector<std::string> known;
    for (const auto& [pmid, metric] : archive.metrics()) {
      known.insert(known.end(), metric.names.begin(), metric.names.end());
    }
    for (const std::string& name : unknown) {
      Fail(environment_, ExitStatus::kUsage,
           "--metric: there is no " + name + NearestHint(name, known));
    }
    return ExitStatus::kUsage;
  }

  void Render(const MetricList& list) const {
    switch (arguments_.format) {
      case MetricsFormat::kText:
        return RenderMetricsText(list, arguments_.instances, environment_.out_screen,
                                 environment_.out);
      case MetricsFormat::kJson:
        return RenderMetricsJson(list, arguments_.archives, environment_.out);
      case MetricsFormat::kCsv:
        return RenderMetricsCsv(list, arguments_.formulas, environment_.out);
    }
  }

  const MetricsArguments& arguments_;
  const Environment& environment_;
  archive::LossWatch storage_;
};

class MetricsCommand final : public Command {
 public:
  void Declare(Options& options) override {
    options.Operands("ARCHIVE",
                     "Base name, any file of an archive, a directory, or a list A,B,...; several "
                     "are opened as one",
                     &arguments_.archives);
    options.Texts("--metric", "NAME", "Only this metric, or those below this name (disk.dev)",
                  &arguments_.names);
    options.Flag("--instances", "Text: also the instances of each domain", &arguments_.instances);
    options
        .Choice("--format", "FORMAT", "",
                std::vector<NamedValue<MetricsFormat>>{{"text", MetricsFormat::kText},
                                                       {"json", MetricsFormat::kJson},
                                                       {"csv", MetricsFormat::kCsv}},
                &arguments_.format)
        .Default("text");
    options
        .Choice("--formulas", "HOW",
                "Texts of CSV that a spreadsheet takes for formulas: quote puts an apostrophe "
                "before them, keep writes them as they are",
                std::vector<NamedValue<Formulas>>{{"quote", Formulas::kQuote},
                                                  {"keep", Formulas::kKeep}},
                &arguments_.formulas)
        .Default("quote");
    arguments_.memory.Declare(options);
    options.Flag("--schema", "Print the JSON Schema of --format json", &arguments_.print_schema);
    options
        .Notes(
            "A metric with several names has a line for each. Instances are all that any record of "
            "the domain lists, by the last name that they have.")
        .Examples({"pmproof metrics archive", "pmproof metrics --metric disk --instances archive",
                   "pmproof metrics --format json /var/log/pcp/pmlogger/host"})
        .ExitStatuses(
            "0 all were listed; 2 wrong usage, or there is no such metric; 4 the input is missing, "
            "cannot be read or is not a PCP archive; 6 a memory budget was exceeded");
  }

  std::string Wrong(const Catalogue&) override {
    return arguments_.archives.empty() && !arguments_.print_schema ? "no ARCHIVE given" : "";
  }

  const MemoryOption* memory() const override { return &arguments_.memory; }

  ExitStatus Run(const CommonArguments&, const Environment& environment) override {
    if (arguments_.print_schema) {
      for (const EmbeddedFile& file : metrics_schema()) environment.out << file.content;
      return ExitStatus::kOk;
    }
    return MetricsRun(arguments_, environment).Run();
  }

 private:
  MetricsArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> MakeMetrics() { return std::make_unique<MetricsCommand>(); }

}  // namespace pmproof::validator
