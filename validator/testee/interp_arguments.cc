#include "validator/testee/interp_arguments.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "validator/replay/emulated_version.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kNanosecondDigits = 9;

// "-1.5" as a delta: both numbers carry the sign (INT-106). Nothing if it is no decimal number of
// seconds, or too long a time.
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

class Parser {
 public:
  explicit Parser(const ProfileList& profiles) : profiles_(profiles) {}

  tl::expected<InterpArguments, Outcome> Parse(const Json& request) {
    const Json* input = Object(request, "input");
    const Json* args = Object(request, "args");
    if (input == nullptr || args == nullptr) return Stop();
    TakeInput(*input);
    KnowKeys(*args, "args",
             {"metrics", "start", "interval", "count", "fetches", "rule", "emulate", "counter_wrap",
              "instances"});
    if (args->contains("metrics")) {
      TakeList((*args)["metrics"], "args.metrics");
    } else {
      Fail("args.metrics: missing");
    }
    if (args->contains("fetches")) {
      TakeScript(*args);
    } else {
      TakeSteps(*args);
    }
    TakeRule(*args);
    TakeInstances(*args);
    if (stop_) return Stop();
    return std::move(arguments_);
  }

 private:
  tl::unexpected<Outcome> Stop() { return tl::unexpected(std::move(*stop_)); }
  void Fail(std::string what) {
    if (!stop_) stop_ = Failure{std::move(what)};
  }

  const Json* Object(const Json& in, const char* key) {
    const auto found = in.find(key);
    if (found != in.end() && found->is_object()) return &*found;
    Fail(std::string(key) + ": missing, or no object");
    return nullptr;
  }

  void KnowKeys(const Json& object, const std::string& path,
                std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, key) != known.end() || stop_) continue;
      stop_ = Skip{path + "." + key + ": this implementation does not know it"};
    }
  }

  // Nothing, and no complaint, if there is no such key.
  std::optional<std::string> Text(const Json& object, const char* key, const std::string& path) {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    if (found->is_string()) return found->get<std::string>();
    Fail(path + "." + key + ": no string");
    return std::nullopt;
  }

  std::vector<std::string> Texts(const Json& list, const std::string& path) {
    std::vector<std::string> texts;
    if (!list.is_array() || list.empty()) Fail(path + ": no list of strings, or an empty one");
    if (!list.is_array()) return texts;
    for (const Json& entry : list) {
      if (!entry.is_string()) {
        Fail(path + ": holds what is no string");
        return texts;
      }
      texts.push_back(entry.get<std::string>());
    }
    return texts;
  }

  void TakeInput(const Json& input) {
    KnowKeys(input, "input", {"path", "paths"});
    if (input.contains("path") == input.contains("paths")) {
      return Fail("input: needs either path or paths");
    }
    if (const auto path = Text(input, "path", "input")) arguments_.paths = {*path};
    if (input.contains("paths")) arguments_.paths = Texts(input["paths"], "input.paths");
  }

  // Gives the position of the list in `lists`.
  std::size_t TakeList(const Json& list, const std::string& path) {
    std::vector<std::size_t> positions;
    for (std::string& name : Texts(list, path)) {
      const auto [known, added] = positions_.emplace(name, arguments_.names.size());
      if (added) arguments_.names.push_back(std::move(name));
      positions.push_back(known->second);
    }
    const auto [known, added] = lists_.emplace(positions, arguments_.lists.size());
    if (added) arguments_.lists.push_back(std::move(positions));
    return known->second;
  }

  std::optional<Seek> TakeSeek(const Json& object, const char* time_key, const std::string& path) {
    const std::optional<std::string> time_text = Text(object, time_key, path);
    const std::optional<std::string> delta_text = Text(object, "interval", path);
    if (!time_text || !delta_text) {
      Fail(path + ": needs " + time_key + " and interval");
      return std::nullopt;
    }
    const std::optional<Timestamp> time = ParseTime("@" + *time_text);
    const std::int64_t latest = InterpArguments::kLatest;
    if (!time || time->seconds > latest || time->seconds < -latest) {
      Fail(path + "." + time_key + ": no time, such as 1700000000.000000000");
    }
    const std::optional<replay::Delta> delta = ParseDelta(*delta_text);
    if (!delta) Fail(path + ".interval: no number of seconds, such as 10 or -0.5");
    if (!time || !delta) return std::nullopt;
    return Seek{*time, *delta};
  }

  void TakeSteps(const Json& args) {
    FetchRun run;
    run.seek = TakeSeek(args, "start", "args");
    const auto count = args.find("count");
    if (count == args.end() || !count->is_number_unsigned() ||
        count->get<std::uint64_t>() > InterpArguments::kMostFetches) {
      return Fail("args.count: no number from 0 to " +
                  std::to_string(InterpArguments::kMostFetches));
    }
    run.count = count->get<std::uint64_t>();
    arguments_.runs = {run};
  }

  void TakeScript(const Json& args) {
    const Json& fetches = args["fetches"];
    if (args.contains("start") || args.contains("interval") || args.contains("count")) {
      Fail("args: fetches excludes start, interval and count");
    }
    if (!fetches.is_array() || fetches.empty()) {
      return Fail("args.fetches: no list, or an empty one");
    }
    for (std::size_t i = 0; i < fetches.size() && !stop_; ++i) {
      const Json& fetch = fetches[i];
      const std::string path = "args.fetches[" + std::to_string(i) + "]";
      if (!fetch.is_object()) return Fail(path + ": no object");
      KnowKeys(fetch, path, {"time", "interval", "metrics"});
      FetchRun run;
      // Where the context goes on, its own time counts.
      if (i == 0 || fetch.contains("interval")) run.seek = TakeSeek(fetch, "time", path);
      if (fetch.contains("metrics")) run.list = TakeList(fetch["metrics"], path + ".metrics");
      arguments_.runs.push_back(run);
    }
  }

  void TakeRule(const Json& args) {
    if (args.contains("counter_wrap")) {
      const Json& wrap = args["counter_wrap"];
      if (!wrap.is_boolean()) return Fail("args.counter_wrap: neither true nor false");
      if (wrap.get<bool>()) arguments_.counter_wrap = replay::CounterWrap::kOn;
    }
    const std::optional<std::string> rule = Text(args, "rule", "args");
    const std::optional<std::string> version = Text(args, "emulate", "args");
    if (rule && version) return Fail("args: rule excludes emulate");
    if (version) {
      const auto versions = EmulatedVersions();
      const auto known = versions.find(*version);
      if (known == versions.end()) {
        if (!stop_) stop_ = Skip{"args.emulate: that version can not be emulated"};
        return;
      }
      arguments_.emulate = known->second;
    }
    const std::string name = rule.value_or("pcp-6.3.2");
    for (const replay::Profile& profile : profiles_(arguments_.counter_wrap)) {
      if (profile->name() != name) continue;
      arguments_.rule = profile;
      return;
    }
    if (!stop_) stop_ = Skip{"args.rule: there is no profile of that name here"};
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
      return Fail("args.instances: no list of instance identifiers, or an empty one");
    }
    arguments_.instances = instances.get<std::vector<std::int32_t>>();
  }

  const ProfileList& profiles_;
  InterpArguments arguments_;
  std::map<std::string, std::size_t, std::less<>> positions_;
  std::map<std::vector<std::size_t>, std::size_t> lists_;
  std::optional<Outcome> stop_;
};

}  // namespace

tl::expected<InterpArguments, Outcome> ParseInterp(const Json& request,
                                                   const ProfileList& profiles) {
  return Parser(profiles).Parse(request);
}

}  // namespace pmproof::validator
