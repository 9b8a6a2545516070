// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/replay_run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/loss_watch.h"
#include "reference/derived/derived_replay.h"
#include "reference/replay/profiles.h"
#include "validator/cli/command_support.h"
#include "validator/cli/identifier.h"
#include "validator/replay/answer_source.h"
#include "validator/replay/asked.h"
#include "validator/replay/derived_deviations.h"
#include "validator/replay/derived_metrics.h"
#include "validator/replay/open_archive.h"
#include "validator/replay/times.h"
#include "validator/replay/when.h"
#include "validator/text/display.h"
#include "validator/text/progress.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::ReplayArchive;

constexpr std::int64_t kSecond = 1'000'000'000;

// So many answers are written before it is looked how far the run is, and whether the files are
// what they were.
constexpr std::uint64_t kAnswersBetween = 1024;

class ReplayRun {
 public:
  ReplayRun(const ReplayArguments& arguments, const CommonArguments& common,
            const Environment& environment)
      : arguments_(arguments),
        common_(common),
        environment_(environment),
        storage_(environment.storage) {}

  ExitStatus Run() {
    const ExitStatus status = Replay();
    if (const std::optional<Status> loss = storage_.loss()) {
      return Fail(ExitStatus::kUnreadable,
                  loss->ToText() + "; of the answers some may be wrong, and some are missing");
    }
    return status;
  }

 private:
  ExitStatus Replay() {
    const std::optional<replay::Profile> profile = FindProfile();
    if (!profile) return ExitStatus::kUsage;
    if (arguments_.metrics.empty() && arguments_.derive.empty()) {
      return Fail(ExitStatus::kUsage, "--metric is required, or --derive");
    }
    const auto archive = OpenForReplay(storage_, arguments_.archives, arguments_.memory.budget(),
                                       arguments_.emulate.value_or(PcpVersion::k7_2));
    if (!archive) {
      const bool budget = archive.error().kind == Status::Kind::kBudget;
      return Fail(budget ? ExitStatus::kBudget : ExitStatus::kUnreadable, archive.error().ToText());
    }
    if (arguments_.assume_sound) (*archive)->AssumeSound();
    for (const Status& passed_over : (*archive)->passed_over()) Warn(passed_over.ToText());
    const derived::Dialect& dialect =
        arguments_.dialect != nullptr ? *arguments_.dialect : DialectOf(arguments_.emulate);
    DerivedMetrics derived(**archive, dialect);
    if (const auto status =
            derived.Load(arguments_.derived_configurations, arguments_.derive, environment_)) {
      return *status;
    }
    const Asked asked(**archive, derived.context(),
                      arguments_.metrics.empty() ? derived.names() : arguments_.metrics,
                      arguments_.instances);
    if (asked.known().empty()) {
      for (const std::string& refusal : asked.RefusalTexts()) Warn(refusal);
      WarnOfNearest(**archive);
      return ExitStatus::kUsage;
    }
    std::string problem;
    const std::optional<Times> times = FindTimes(**archive, (*profile)->traits(), &problem);
    if (!times) return Fail(ExitStatus::kUsage, problem);
    BeginProgress(**archive, times->count());
    return Answer(**archive, asked, &derived, *profile, *times);
  }

  // Not where the answers go to the same terminal.
  void BeginProgress(const ReplayArchive& archive, std::uint64_t times) {
    const bool mixed = environment_.out_screen.terminal && common_.progress != When::kAlways;
    if (!WantsBar(common_, environment_) || mixed || arguments_.raw) return;
    times_ = times;
    for (const archive::OpenedMember& member : archive.members()) {
      bytes_ += member.files.stored_size;
    }
    bar_ = std::make_unique<ProgressBar>(environment_.err);
    bar_->Expect(archive.members().size(), bytes_);
  }

  void TellProgress() {
    if (bar_ == nullptr) return;
    const double part = static_cast<double>(answers_) / static_cast<double>(times_);
    const auto bytes =
        std::min(bytes_, static_cast<std::uint64_t>(part * static_cast<double>(bytes_)));
    if (bytes > reported_) bar_->AddBytes(bytes - std::exchange(reported_, bytes));
  }

  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    Warn(message);
    return status;
  }
  void Warn(const std::string& message) const {
    environment_.err << "pmproof: " << Displayable(message) << '\n';
  }

  // Which metrics the user may have meant.
  void WarnOfNearest(const ReplayArchive& archive) const {
    std::vector<std::string> known;
    for (const auto& [pmid, metric] : archive.metrics())
      known.insert(known.end(), metric.names.begin(), metric.names.end());
    for (const std::string& name : arguments_.metrics) {
      const std::string hint = archive.Find(name) ? "" : NearestHint(name, known);
      if (!hint.empty()) Warn("--metric: there is no " + name + hint);
    }
  }

  static ExitStatus StatusOf(const Status& error) {
    switch (error.kind) {
      case Status::Kind::kBudget:
        return ExitStatus::kBudget;
      case Status::Kind::kUsage:
      case Status::Kind::kUnsupported:
        return ExitStatus::kUsage;
      case Status::Kind::kNotFound:
      case Status::Kind::kUnreadable:
      case Status::Kind::kNotAnArchive:
      case Status::Kind::kDamaged:
        break;
    }
    return ExitStatus::kUnreadable;
  }

  // DER-101..109: the language of the version; where none is named, the latest.
  static const derived::Dialect& DialectOf(std::optional<PcpVersion> version) {
    switch (version.value_or(PcpVersion::k7_2)) {
      case PcpVersion::k6_0_3:
        return derived::kV60;
      case PcpVersion::k6_3_8:
        return derived::kV63;
      case PcpVersion::k7_2:
        break;
    }
    return derived::kV72;
  }

  ExitStatus Answer(const ReplayArchive& archive, const Asked& asked, DerivedMetrics* derived,
                    const replay::Profile& profile, const Times& times) {
    std::optional<derived::DerivedReplay> derivation;
    if (asked.HasDerived()) {
      const std::int64_t step = times.seeks() || arguments_.raw
                                    ? 0
                                    : times.delta().seconds * kSecond + times.delta().nanoseconds;
      derivation.emplace(archive, derived->context(), derived->dialect(),
                         derived::DerivedReplay::Request{.metrics = asked.known(),
                                                         .instances = asked.instances(),
                                                         .step = step,
                                                         .recorded = arguments_.raw});
    }
    const std::vector<Pmid>& fetched = derivation ? derivation->fetched() : asked.known();
    TextBuffer out(environment_.out);
    writer_ = MakeWriter(asked.metrics(), out);
    const std::unique_ptr<AnswerSource> source =
        MakeSource(archive, asked, fetched, profile, times);
    const bool whole = asked.IsAnsweredByKnown();
    const std::optional<Status> error =
        source->Read([&](const FetchAnswer& fetch, const Deviations& deviations) {
          if (!derivation && whole) return Take(fetch, deviations);
          if (!derivation) return Take(asked.Complete(fetch), asked.Complete(deviations));
          const FetchAnswer& answer = derivation->Take(fetch);
          const Deviations all = DerivedDeviations(asked, fetched, deviations, answer);
          Take(asked.Complete(answer), asked.Complete(all));
        });
    if (!error && source->Warning()) Warn(source->Warning()->ToText());
    out.Flush();
    bar_.reset();
    if (error) return Fail(StatusOf(*error), error->ToText());
    if (!environment_.out.flush()) {
      return Fail(ExitStatus::kInternal, "standard output: the answers could not be written");
    }
    if (!inside_) {
      return Fail(ExitStatus::kUsage, arguments_.raw ? "no record has one of the metrics"
                                                     : "all times are outside of the archive");
    }
    return failed_ ? ExitStatus::kFindings : ExitStatus::kOk;
  }

  std::optional<replay::Profile> FindProfile() const {
    const auto wrap =
        arguments_.counter_wrap ? replay::CounterWrap::kOn : replay::CounterWrap::kOff;
    std::vector<std::string> names;
    std::string all;
    for (const replay::Profile& profile : environment_.profiles(wrap)) {
      if (profile->name() == arguments_.rule) return profile;
      names.emplace_back(profile->name());
      all += (all.empty() ? "" : ", ") + names.back();
    }
    Warn("--rule: there is no profile " + arguments_.rule + NearestHint(arguments_.rule, names) +
         "; profiles: " + all);
    return std::nullopt;
  }

  std::optional<Times> FindTimes(const ReplayArchive& archive, const replay::ProfileTraits& traits,
                                 std::string* problem) const {
    const Timestamp origin = archive.origin().start();
    const auto parse = [&](const char* option, const std::string& text) {
      const std::optional<Timestamp> time = ParseWhen(text, origin);
      if (!time) {
        *problem = std::string(option) + ": no time: " + text +
                   " (@EPOCH[.FRACTION], ISO 8601, or +DURATION from the start)";
      }
      return time;
    };
    if (!arguments_.at.empty()) {
      std::vector<Timestamp> times;
      times.reserve(arguments_.at.size());
      for (const std::string& text : arguments_.at) {
        const std::optional<Timestamp> time = parse("--at", text);
        if (!time) return std::nullopt;
        times.push_back(*time);
      }
      return Times(std::move(times));
    }
    const std::string interval_text = arguments_.interval.value_or("1s");
    const std::optional<std::int64_t> interval = ParseDuration(interval_text);
    if (!interval || *interval == 0) {
      *problem =
          "--interval: no duration above 0: " + interval_text + " (such as 10s, 500ms, 1.5min)";
      return std::nullopt;
    }
    std::optional<Timestamp> start = origin;
    if (arguments_.start) start = parse("--start", *arguments_.start);
    std::optional<Timestamp> finish;
    if (arguments_.finish) {
      finish = parse("--finish", *arguments_.finish);
    } else if ((finish = archive.End()); !finish) {
      *problem = "the archive has no record: give --finish";
    }
    if (!start || !finish) return std::nullopt;
    if (*finish < *start) {
      *problem = "--start is after --finish, or after the end of the archive";
      return std::nullopt;
    }
    const std::uint64_t count = Times::CountBetween(*start, *finish, *interval);
    if (count > arguments_.limit && !arguments_.raw) {
      *problem = Times::TooMany(count, *start, *finish, arguments_.limit,
                                "--finish, a longer --interval, or a larger --limit");
      return std::nullopt;
    }
    const std::int64_t step = arguments_.backward ? -*interval : *interval;
    const replay::Delta delta{step / kSecond, static_cast<std::int32_t>(step % kSecond)};
    return Times(arguments_.backward ? *finish : *start, delta, count, traits.normalised_time);
  }

  std::unique_ptr<AnswerWriter> MakeWriter(const std::vector<AskedMetric>& asked,
                                           TextBuffer& out) const {
    switch (arguments_.format) {
      case ReplayFormat::kCsv:
        return MakeCsvAnswers(asked, arguments_.reason, arguments_.formulas, out);
      case ReplayFormat::kJsonLines:
        return MakeJsonAnswers(asked, arguments_.reason, out);
      case ReplayFormat::kText:
        break;
    }
    return MakeTextAnswers(asked, arguments_.reason, out);
  }

  void Take(const FetchAnswer& fetch, const Deviations& deviations) {
    if (++answers_ % kAnswersBetween == 0) {
      TellProgress();
      lost_ = lost_ || storage_.loss();
    }
    if (lost_) return;
    inside_ = inside_ || fetch.status != ErrorCode::kEndOfLog;
    failed_ = failed_ || (fetch.status != ErrorCode::kOk && fetch.status != ErrorCode::kEndOfLog);
    for (const replay::MetricAnswer& metric : fetch.metrics) {
      failed_ = failed_ || metric.status != ErrorCode::kOk;
    }
    writer_->Write(fetch, deviations);
  }

  std::unique_ptr<AnswerSource> MakeSource(const ReplayArchive& archive, const Asked& asked,
                                           const std::vector<Pmid>& fetched,
                                           const replay::Profile& profile,
                                           const Times& times) const {
    if (arguments_.raw) {
      replay::RecordedRequest request;
      request.metrics = fetched;
      request.instances = asked.instances();
      // FindTimes() has read both times.
      const Timestamp origin = archive.origin().start();
      if (arguments_.start) request.start = ParseWhen(*arguments_.start, origin);
      if (arguments_.finish) request.finish = ParseWhen(*arguments_.finish, origin);
      return RawAnswers(archive, std::move(request));
    }
    // Where nothing in it is known to the archive, the rule answers what there is to answer.
    if (arguments_.emulate && fetched.front() != Pmid::Null()) {
      return EmulatedAnswers(archive,
                             {.metrics = fetched,
                              .instances = asked.instances(),
                              .version = *arguments_.emulate,
                              .counter_wrap = arguments_.counter_wrap,
                              .explain = arguments_.reason,
                              .ascending = asked.HasDerived(),
                              .memory = Answers()},
                             times);
    }
    replay::ReplayRequest request;
    request.metrics = fetched;
    request.instances = asked.instances();
    request.reasons = arguments_.reason;
    request.memory = Answers();
    request.seeks = times.seeks();
    request.direction = arguments_.backward ? -1 : 1;
    return InterpolatedAnswers(archive, std::move(request), profile, times,
                               [this] { return lost_; });
  }

  // What the answers of one pass over the archive may take, beside its metadata.
  std::size_t Answers() const { return arguments_.memory.budget().Answers(); }

  const ReplayArguments& arguments_;
  const CommonArguments& common_;
  const Environment& environment_;
  const archive::LossWatch storage_;
  std::unique_ptr<ProgressBar> bar_;
  std::uint64_t answers_ = 0;
  std::uint64_t times_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t reported_ = 0;
  std::unique_ptr<AnswerWriter> writer_;
  bool inside_ = false;
  bool failed_ = false;
  bool lost_ = false;  // a file was cut short: nothing more is written
};

}  // namespace

ExitStatus RunReplay(const ReplayArguments& arguments, const CommonArguments& common,
                     const Environment& environment) {
  return ReplayRun(arguments, common, environment).Run();
}

}  // namespace pmproof::validator
