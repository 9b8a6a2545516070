#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "reference/replay/profiles.h"
#include "validator/display.h"
#include "validator/replay/asked.h"
#include "validator/replay/commands.h"
#include "validator/replay/emulate.h"
#include "validator/replay/open_archive.h"
#include "validator/replay/times.h"
#include "validator/replay/when.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::ReplayArchive;

constexpr std::int64_t kSecond = 1'000'000'000;

class ReplayCommand {
 public:
  ReplayCommand(const ReplayArguments& arguments, const Environment& environment)
      : arguments_(arguments), environment_(environment) {}

  ExitStatus Run() {
    const std::optional<replay::Profile> profile = FindProfile();
    if (!profile) return ExitStatus::kUsage;
    auto archive = OpenForReplay(environment_.storage, arguments_.archives);
    if (!archive) {
      const bool budget = archive.error().kind == Status::Kind::kBudget;
      return Fail(budget ? ExitStatus::kBudget : ExitStatus::kUnreadable, archive.error().ToText());
    }
    for (const Status& passed_over : (*archive)->passed_over()) Warn(passed_over.ToText());
    const Asked asked(**archive, arguments_.metrics, arguments_.instances);
    if (asked.known().empty()) {
      for (const std::string& name : arguments_.metrics)
        Warn(name +
             ": no such metric, or no such "
             "instance of it");
      return ExitStatus::kUsage;
    }
    std::string problem;
    std::optional<Times> times = FindTimes(**archive, (*profile)->traits(), &problem);
    if (!times) return Fail(ExitStatus::kUsage, problem);

    TextBuffer out(environment_.out);
    writer_ = MakeWriter(asked.metrics(), out);
    const auto sink = [&](const FetchAnswer& fetch, const Deviations& deviations = {}) {
      Take(asked.Complete(fetch), asked.Complete(deviations));
    };
    const std::optional<Status> error = arguments_.emulate
                                            ? Emulate(**archive, asked, *times, sink)
                                            : Fetch(**archive, asked, *profile, *times, sink);
    out.Flush();
    if (error) return Fail(StatusOf(*error), error->ToText());
    if (!environment_.out.flush()) {
      return Fail(ExitStatus::kInternal, "standard output: the answers could not be written");
    }
    if (!inside_) return Fail(ExitStatus::kUsage, "all times are outside of the archive");
    return failed_ ? ExitStatus::kFindings : ExitStatus::kOk;
  }

 private:
  ExitStatus Fail(ExitStatus status, const std::string& message) const {
    Warn(message);
    return status;
  }
  void Warn(const std::string& message) const {
    environment_.err << "pmproof: " << Displayable(message) << '\n';
  }

  static ExitStatus StatusOf(const Status& error) {
    switch (error.kind) {
      case Status::Kind::kBudget:
        return ExitStatus::kBudget;
      case Status::Kind::kUsage:
      case Status::Kind::kUnsupported:
        return ExitStatus::kUsage;
      default:
        return ExitStatus::kUnreadable;
    }
  }

  std::optional<replay::Profile> FindProfile() const {
    const auto wrap =
        arguments_.counter_wrap ? replay::CounterWrap::kOn : replay::CounterWrap::kOff;
    std::string names;
    for (const replay::Profile& profile : environment_.profiles(wrap)) {
      if (profile->name() == arguments_.rule) return profile;
      names += (names.empty() ? "" : ", ") + std::string(profile->name());
    }
    Warn("--rule: there is no profile " + arguments_.rule + "; profiles: " + names);
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
      *problem = "--start is behind --finish, or behind the end of the archive";
      return std::nullopt;
    }
    const std::int64_t span = NanosecondsBetween(*start, *finish);
    const auto count = static_cast<std::uint64_t>(span / *interval) + 1;
    const std::int64_t step = arguments_.backward ? -*interval : *interval;
    const replay::Delta delta{step / kSecond, static_cast<std::int32_t>(step % kSecond)};
    return Times(arguments_.backward ? *finish : *start, delta, count, traits.normalised_time);
  }

  std::unique_ptr<AnswerWriter> MakeWriter(const std::vector<AskedMetric>& asked,
                                           TextBuffer& out) const {
    switch (arguments_.format) {
      case ReplayFormat::kCsv:
        return MakeCsvAnswers(asked, arguments_.reason, out);
      case ReplayFormat::kJsonLines:
        return MakeJsonAnswers(asked, arguments_.reason, out);
      default:
        return MakeTextAnswers(asked, arguments_.reason, out);
    }
  }

  void Take(const FetchAnswer& fetch, const Deviations& deviations) {
    inside_ = inside_ || fetch.status == ErrorCode::kOk;
    for (const replay::MetricAnswer& metric : fetch.metrics) {
      failed_ = failed_ || metric.status != ErrorCode::kOk;
    }
    writer_->Write(fetch, deviations);
  }

  std::optional<Status> Fetch(const ReplayArchive& archive, const Asked& asked,
                              const replay::Profile& profile, Times& times,
                              const replay::AnswerSink& sink) const {
    replay::ReplayRequest request;
    request.metrics = asked.known();
    request.instances = asked.instances();
    request.reasons = arguments_.reason;
    request.memory = arguments_.memory;
    request.seeks = times.seeks();
    request.direction = arguments_.backward ? -1 : 1;
    replay::ReplayContext context(archive, std::move(request), profile);
    while (true) {
      const std::vector<Timestamp> batch = times.NextBatch();
      if (batch.empty()) return std::nullopt;
      if (std::optional<Status> error = context.Fetch(batch, sink)) return error;
    }
  }

  std::optional<Status> Emulate(const ReplayArchive& archive, const Asked& asked,
                                const Times& times, const EmulatedSink& sink) const {
    return validator::Emulate(
        archive, asked,
        {*arguments_.emulate, arguments_.counter_wrap, arguments_.reason, arguments_.memory}, times,
        sink);
  }

  const ReplayArguments& arguments_;
  const Environment& environment_;
  std::unique_ptr<AnswerWriter> writer_;
  bool inside_ = false;
  bool failed_ = false;
};

}  // namespace

ExitStatus RunReplay(const ReplayArguments& arguments, const CommonArguments&,
                     const Environment& environment) {
  return ReplayCommand(arguments, environment).Run();
}

}  // namespace pmproof::validator
