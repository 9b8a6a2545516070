// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/interp_arguments.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "validator/replay/emulated_version.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kNanosecondDigits = 9;

// "-1.5" as a delta: both numbers carry the sign (INT-106). Nothing if it is not a decimal number
// of seconds, or too long a time.
std::optional<replay::Delta> ParseDelta(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || (point < text.size()) == fraction.empty()) return std::nullopt;
  if (fraction.size() > kNanosecondDigits) return std::nullopt;
  replay::Delta delta;
  for (const char c : whole) {
    if (c < '0' || c > '9') return std::nullopt;
    delta.seconds = delta.seconds * 10 + (c - '0');
    if (delta.seconds > InterpArguments::kLongestStep) return std::nullopt;
  }
  for (std::size_t i = 0; i < kNanosecondDigits; ++i) {
    const char c = i < fraction.size() ? fraction[i] : '0';
    if (c < '0' || c > '9') return std::nullopt;
    delta.nanoseconds = delta.nanoseconds * 10 + (c - '0');
  }
  if (negative) delta = {-delta.seconds, -delta.nanoseconds};
  return delta;
}

constexpr std::string_view kKeys[] = {"metrics", "start",   "interval",     "count",     "fetches",
                                      "rule",    "emulate", "counter_wrap", "instances", "without"};

class Parser {
 public:
  Parser(RequestReader* reader, const ProfileList& profiles, const InterpOptions& options)
      : reader_(*reader), profiles_(profiles), options_(options) {}

  InterpArguments Parse() {
    const Json& args = reader_.args();
    arguments_.paths = reader_.Archives();
    reader_.KnowKeys(args, "args", kKeys, options_.more_keys);
    if (args.contains("metrics")) {
      TakeList(args["metrics"], "args.metrics");
    } else {
      reader_.Fail("args.metrics: missing");
    }
    if (args.contains("fetches")) {
      TakeScript(args);
    } else {
      TakeSteps(args);
    }
    TakeRule(args);
    TakeInstances(args);
    return std::move(arguments_);
  }

 private:
  // Gives the position of the list in `lists`.
  std::size_t TakeList(const Json& list, const std::string& path) {
    std::vector<std::size_t> positions;
    for (std::string& name : reader_.Texts(list, path)) {
      const auto [known, added] = positions_.emplace(name, arguments_.names.size());
      if (added) arguments_.names.push_back(std::move(name));
      positions.push_back(known->second);
    }
    const auto [known, added] = lists_.emplace(positions, arguments_.lists.size());
    if (added) arguments_.lists.push_back(std::move(positions));
    return known->second;
  }

  std::optional<Timestamp> TakeTime(const Json& object, const char* key, const std::string& path) {
    const std::optional<std::string> text = reader_.Text(object, key, path);
    if (!text) {
      reader_.Fail(path + "." + key + ": missing");
      return std::nullopt;
    }
    const std::optional<Timestamp> time = ParseTime("@" + *text);
    const std::int64_t latest = InterpArguments::kLatest;
    if (!time || time->seconds > latest || time->seconds < -latest) {
      reader_.Fail(path + "." + key + ": no time, such as 1700000000.000000000");
      return std::nullopt;
    }
    return time;
  }

  std::optional<Seek> TakeSeek(const Json& object, const char* time_key, const std::string& path) {
    if (!object.contains(time_key) || !object.contains("interval")) {
      reader_.Fail(path + ": needs " + time_key + " and interval");
      return std::nullopt;
    }
    const std::optional<Timestamp> time = TakeTime(object, time_key, path);
    const std::optional<std::string> text = reader_.Text(object, "interval", path);
    const std::optional<replay::Delta> delta = ParseDelta(text.value_or(""));
    if (!delta) reader_.Fail(path + ".interval: no number of seconds, such as 10 or -0.5");
    if (!time || !delta) return std::nullopt;
    return Seek{*time, *delta};
  }

  void TakeSteps(const Json& args) {
    FetchRun run;
    if (!options_.recorded) {
      run.seek = TakeSeek(args, "start", "args");
    } else if (const auto time = TakeTime(args, "start", "args")) {
      run.seek = Seek{*time, {}};
    }
    if (options_.recorded && args.contains("interval")) reader_.Fail("args: raw excludes interval");
    arguments_.recorded = options_.recorded;
    const std::int64_t most = InterpArguments::kMostFetches;
    if (!args.contains("count")) reader_.Fail("args.count: missing");
    run.count =
        static_cast<std::uint64_t>(reader_.Integer(args, "count", "args", 0, most).value_or(0));
    arguments_.runs = {run};
  }

  void TakeScript(const Json& args) {
    const Json& fetches = args["fetches"];
    if (options_.recorded) reader_.Fail("args: raw excludes fetches");
    if (args.contains("start") || args.contains("interval") || args.contains("count")) {
      reader_.Fail("args: fetches excludes start, interval and count");
    }
    if (!fetches.is_array() || fetches.empty()) {
      return reader_.Fail("args.fetches: no list, or an empty one");
    }
    for (std::size_t i = 0; i < fetches.size() && !reader_.stopped(); ++i) {
      const Json& fetch = fetches[i];
      const std::string path = "args.fetches[" + std::to_string(i) + "]";
      if (!fetch.is_object()) return reader_.Fail(path + ": no object");
      reader_.KnowKeys(fetch, path, {"time", "interval", "metrics"});
      FetchRun run;
      // Where the context goes on, its own time counts.
      if (i == 0 || fetch.contains("interval")) run.seek = TakeSeek(fetch, "time", path);
      if (fetch.contains("metrics")) run.list = TakeList(fetch["metrics"], path + ".metrics");
      arguments_.runs.push_back(run);
    }
  }

  void TakeRule(const Json& args) {
    if (reader_.Flag(args, "counter_wrap", "args").value_or(false)) {
      arguments_.counter_wrap = replay::CounterWrap::kOn;
    }
    const std::optional<std::string> rule = reader_.Text(args, "rule", "args");
    const std::optional<std::string> version = reader_.Text(args, "emulate", "args");
    if (rule && version) return reader_.Fail("args: rule excludes emulate");
    if (options_.recorded && (rule || version)) {
      return reader_.Fail("args: raw excludes rule and emulate");
    }
    TakeWithout(args, version.has_value());
    if (!rule && !version && !options_.recorded && options_.emulation.version) {
      arguments_.emulate = options_.emulation.version;
      arguments_.mends = options_.emulation.mends;
    }
    if (version) {
      const auto versions = EmulatedVersions();
      const auto known = std::ranges::find_if(
          versions, [&](const auto& entry) { return entry.first == *version; });
      if (known == versions.end()) {
        return reader_.StopBy(Skip{"args.emulate: that version cannot be emulated"});
      }
      arguments_.emulate = known->second;
    }
    const std::string_view name = rule ? *rule : options_.rule;
    for (const replay::Profile& profile : profiles_(arguments_.counter_wrap)) {
      if (profile->name() != name) continue;
      arguments_.rule = profile;
      return;
    }
    reader_.StopBy(Skip{"args.rule: there is no profile of that name here"});
  }

  void TakeWithout(const Json& args, bool emulates) {
    if (!args.contains("without")) return;
    if (!emulates) return reader_.Fail("args: without needs emulate");
    for (const std::string& name : reader_.Texts(args["without"], "args.without")) {
      const auto deviation = replay::emulation::ParseMendable(name);
      if (!deviation)
        return reader_.Fail("args.without: no deviation that can be left out: " + name);
      arguments_.mends = arguments_.mends.With(*deviation);
    }
  }

  void TakeInstances(const Json& args) {
    if (!args.contains("instances")) return;
    const Json& instances = args["instances"];
    const auto is_instance = [](const Json& entry) {
      return entry.is_number_integer() &&
             entry.get<std::int64_t>() >= std::numeric_limits<std::int32_t>::min() &&
             entry.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
    };
    if (!instances.is_array() || instances.empty() ||
        !std::all_of(instances.begin(), instances.end(), is_instance)) {
      return reader_.Fail("args.instances: no list of instance identifiers, or an empty one");
    }
    arguments_.instances = instances.get<std::vector<std::int32_t>>();
  }

  RequestReader& reader_;
  const ProfileList& profiles_;
  const InterpOptions& options_;
  InterpArguments arguments_;
  std::map<std::string, std::size_t, std::less<>> positions_;
  std::map<std::vector<std::size_t>, std::size_t> lists_;
};

}  // namespace

InterpArguments TakeInterp(RequestReader* reader, const ProfileList& profiles,
                           const InterpOptions& options) {
  return Parser(reader, profiles, options).Parse();
}

}  // namespace pmproof::validator
