// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/run_bench.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "validator/agent/subject_text.h"
#include "validator/agent_bench/fetcher.h"
#include "validator/agent_bench/process_watch.h"

namespace pmproof::validator::agent_bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration kSlice = std::chrono::milliseconds(100);
constexpr Duration kLongestWarmUp = std::chrono::seconds(1);

// Memory over a run of any length, in samples at even distances: whenever there are too many, every
// second one goes.
class Memory {
 public:
  void Add(MemorySample sample, BenchAgent* to) {
    to->most_resident_bytes = std::max(to->most_resident_bytes, sample.resident_bytes);
    if (seen_++ % stride_ != 0) return;
    to->memory.push_back(sample);
    if (to->memory.size() < BenchReport::kMostSamples) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < to->memory.size(); i += 2) to->memory[kept++] = to->memory[i];
    to->memory.resize(kept);
    stride_ *= 2;
  }

 private:
  std::uint64_t seen_ = 0;
  std::uint64_t stride_ = 1;
};

// Those with a value first, so that a fetch of few metrics has something to fetch.
std::vector<Pmid> InOrder(const agent::Knowledge& knowledge) {
  std::vector<Pmid> pmids;
  for (const bool with_value : {true, false}) {
    for (const agent::KnownMetric& metric : knowledge.metrics) {
      if ((metric.numval > 0) == with_value) pmids.push_back(metric.pmid);
    }
  }
  pmids.resize(std::min(pmids.size(), kMostMetrics));
  return pmids;
}

// One agent of the run.
class Runner {
 public:
  explicit Runner(const agent::Subject& subject) : subject_(subject) {}

  bool failed() const { return note_.failure.has_value(); }
  const BenchAgent& note() const { return note_; }
  std::size_t metrics() const { return pmids_.size(); }

  void Begin(const agent::Discovery& discovery) {
    note_.command = subject_.command.words;
    note_.transport = agent::TransportText(subject_);
    agent::ExchangeLog log;
    const auto known = agent::Discover(subject_, discovery, &log);
    if (!known) return Fail(known.error().because);
    note_.started = true;
    note_.metrics = known->metrics.size();
    note_.names_from = agent::SourceText(known->source);
    note_.remarks = known->remarks;
    pmids_ = InOrder(*known);
    if (const auto any = known->AnyMetric(); !any) return Fail(any.error().because);
    auto fetcher = Fetcher::Start(subject_);
    if (!fetcher) return Fail(fetcher.error());
    fetcher_ = std::make_unique<Fetcher>(*std::move(fetcher));
    watch_ = std::make_unique<ProcessWatch>(fetcher_->process());
  }

  // What is measured next. False: it failed.
  bool Prepare(std::optional<std::size_t> metrics, std::size_t clients, const Effort& effort,
               const std::function<bool()>& stop) {
    current_ = {.metrics = metrics.value_or(pmids_.size()), .all = !metrics, .clients = clients};
    std::vector<Pmid> asked;
    for (std::size_t i = 0; i < current_.metrics; ++i) asked.push_back(pmids_[i % pmids_.size()]);
    const auto answer = fetcher_->Prepare(asked, clients);
    if (!answer) return Fail(answer.error()), false;
    current_.values = answer->values;
    current_.no_values = answer->no_values;
    current_.request_bytes = answer->request_bytes;
    current_.answer_bytes = answer->answer_bytes;
    const auto end = Clock::now() + kLongestWarmUp;
    for (std::uint64_t i = 0; i < effort.warm_up && Clock::now() < end && !stop(); ++i) {
      if (!FetchOnce(stop)) return false;
    }
    watch_->Find();
    return true;
  }

  // Whether there is anything left to measure.
  bool Due(const Effort& effort) const {
    if (failed()) return false;
    return effort.count ? current_.fetches < *effort.count : current_.spent < effort.duration;
  }

  void Slice(const Effort& effort, Clock::time_point origin, const std::function<bool()>& stop) {
    const Duration length =
        effort.count ? kSlice : std::min(kSlice, effort.duration - current_.spent);
    const ProcessUse before = watch_->Look();
    if (!sampled_) Sample(before, origin);
    std::uint64_t fetches = 0;
    const auto begun = Clock::now();
    auto now = begun;
    while (now - begun < length && !stop()) {
      if (effort.count && current_.fetches + fetches >= *effort.count) break;
      const auto took = FetchOnce(stop);
      if (!took) break;
      current_.latency.Add(*took);
      ++fetches;
      now = Clock::now();
    }
    const ProcessUse after = watch_->Look();
    if (!failed()) Sample(after, origin);
    if (fetches == 0) return;
    current_.fetches += fetches;
    current_.spent += now - begun;
    current_.cpu += after.cpu - before.cpu;
    const double rate =
        static_cast<double>(fetches) / std::chrono::duration<double>(now - begun).count();
    current_.slowest_slice =
        current_.slowest_slice == 0 ? rate : std::min(current_.slowest_slice, rate);
    current_.fastest_slice = std::max(current_.fastest_slice, rate);
  }

  // After the last slice.
  void Settle() {
    if (failed()) return;
    if (std::string wrong = fetcher_->Settle(); !wrong.empty()) Fail(std::move(wrong));
  }

  const Measurement& current() const { return current_; }

 private:
  void Fail(std::string why) { note_.failure = std::move(why); }

  std::optional<Duration> FetchOnce(const std::function<bool()>& stop) {
    const auto took = fetcher_->Fetch(stop);
    if (took) return *took;
    Fail(took.error());
    return std::nullopt;
  }

  void Sample(const ProcessUse& use, Clock::time_point origin) {
    sampled_ = true;
    memory_.Add({Clock::now() - origin, use.resident_bytes}, &note_);
  }

  const agent::Subject& subject_;
  BenchAgent note_{};
  std::vector<Pmid> pmids_{};
  std::unique_ptr<Fetcher> fetcher_{};
  std::unique_ptr<ProcessWatch> watch_{};
  Memory memory_{};
  bool sampled_ = false;
  Measurement current_{};
};

std::vector<std::optional<std::size_t>> UsualMetrics(const std::vector<Runner>& runners) {
  std::size_t fewest = kMostMetrics + 1;
  for (const Runner& runner : runners) {
    if (!runner.failed()) fewest = std::min(fewest, runner.metrics());
  }
  std::vector<std::optional<std::size_t>> metrics;
  for (std::size_t count = 1; count < fewest; count *= 10) metrics.emplace_back(count);
  metrics.emplace_back(std::nullopt);
  return metrics;
}

}  // namespace

BenchReport RunBench(std::span<const agent::Subject> subjects, const agent::Discovery& discovery,
                     const BenchOptions& options) {
  BenchReport report{.effort = options.effort, .processors = std::thread::hardware_concurrency()};
  const auto stop = [&options] { return options.stop && options.stop(); };
  std::vector<Runner> runners;
  for (const agent::Subject& subject : subjects) runners.emplace_back(subject);
  for (Runner& runner : runners) {
    if (!stop()) runner.Begin(discovery);
  }
  const auto metrics = options.metrics.empty() ? UsualMetrics(runners) : options.metrics;
  const std::size_t all = metrics.size() * options.clients.size();
  std::size_t done = 0;
  const auto origin = Clock::now();
  for (const std::size_t clients : options.clients) {
    for (const auto& count : metrics) {
      if (options.progress) options.progress(done++, all);
      std::vector<Runner*> running;
      for (Runner& runner : runners) {
        if (stop() || runner.failed()) continue;
        if (runner.Prepare(count, clients, options.effort, stop)) running.push_back(&runner);
      }
      for (bool due = true; due && !stop();) {
        due = false;
        for (Runner* const runner : running) {
          if (runner->Due(options.effort)) runner->Slice(options.effort, origin, stop);
          due |= runner->Due(options.effort);
        }
      }
      for (Runner* const runner : running) {
        if (!stop()) runner->Settle();
        if (runner->current().fetches == 0) continue;
        report.measurements.push_back(runner->current());
        report.measurements.back().agent = static_cast<std::size_t>(runner - runners.data());
      }
    }
  }
  if (options.progress) options.progress(all, all);
  for (const Runner& runner : runners) report.agents.push_back(runner.note());
  return report;
}

}  // namespace pmproof::validator::agent_bench
