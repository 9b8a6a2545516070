// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "validator/agent/replay/exchange_file.h"
#include "validator/agent/replay/octets.h"
#include "validator/agent/replay/step_names.h"
#include "validator/text/json_members.h"
#include "validator/text/json_stream.h"
#include "validator/text/json_string.h"

namespace pmproof::validator::agent {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestValue = std::size_t{48} << 20;  // bytes of a step
constexpr std::size_t kMostFailures = 1000;
constexpr std::size_t kMostKnown = 1'000'000;                 // metrics, instances or names
constexpr unsigned kMostAgents = 1000;                        // that a check started
constexpr std::size_t kMostRecorded = std::size_t{64} << 20;  // bytes of all failures
constexpr std::uint64_t kLongestWait = 86'400'000;            // ms

std::optional<Clause> ParseCheck(std::string_view text) { return Clause::Parse(text); }

std::uint32_t Word(JsonMembers& members, const char* member) {
  const std::uint64_t count = members.Count(member);
  if (count > 0xffffffff) members.Fail(member, "is larger than a word");
  return static_cast<std::uint32_t>(count);
}

std::int32_t Signed(JsonMembers& members, const char* member) {
  const Json* found = members.Find(member);
  if (found != nullptr && found->is_number_integer()) {
    const auto number = found->is_number_unsigned() && found->get<std::uint64_t>() > 0x7fffffff
                            ? std::int64_t{1} << 40
                            : found->get<std::int64_t>();
    if (number >= -0x7fffffff - 1 && number <= 0x7fffffff) return static_cast<std::int32_t>(number);
  }
  members.Fail(member, "is not a number of 32 bits");
  return 0;
}

std::vector<std::string> Texts(JsonMembers& members, const char* member) {
  constexpr std::size_t kMost = 10'000;
  std::vector<std::string> texts;
  const Json* found = members.Find(member);
  if (found == nullptr || !found->is_array() || found->size() > kMost) {
    members.Fail(member, "is not an array of at most 10000 strings");
    return texts;
  }
  for (const Json& item : *found) {
    if (!item.is_string()) {
      members.Fail(member, "has what is not a string");
      break;
    }
    texts.push_back(FromJsonString(item.get_ref<const std::string&>()));
  }
  return texts;
}

std::string ReadMetric(const Json& json, std::vector<KnownMetric>* metrics) {
  JsonMembers members(json);
  KnownMetric metric{.name = members.Text("name"), .pmid = Pmid{Word(members, "pmid")}};
  metric.descriptor = {.pmid = Pmid{Word(members, "described_as")},
                       .type = static_cast<MetricType>(Signed(members, "type")),
                       .indom = Indom{Word(members, "indom")},
                       .semantics = static_cast<Semantics>(Signed(members, "semantics")),
                       .units = Units{Word(members, "units")}};
  metric.dynamic = members.Flag("dynamic");
  metric.numval = Signed(members, "numval");
  metrics->push_back(std::move(metric));
  return members.wrong();
}

std::string ReadInstance(const Json& json, std::map<Indom, std::vector<KnownInstance>>* instances) {
  JsonMembers members(json);
  const Indom indom{Word(members, "indom")};
  const std::string name = members.Text("name");
  auto& of_indom = (*instances)[indom];
  const Json* number = members.Find("number");
  if (number == nullptr || !number->is_null()) {
    of_indom.push_back({Signed(members, "number"), name});
  }
  return members.wrong();
}

class Reader final : public JsonConsumer {
 public:
  explicit Reader(ExchangeFile* file) : file_(*file) {}

  bool IsStreamed(std::string_view pattern, bool is_array) const override {
    constexpr std::string_view kObjects[] = {"", "known", "failures[]"};
    constexpr std::string_view kArrays[] = {
        "known.metrics", "known.misdescribed", "known.instances", "known.names",
        "known.unknown", "known.storable",     "failures",        "failures[].steps"};
    return is_array ? std::ranges::count(kArrays, pattern) > 0
                    : std::ranges::count(kObjects, pattern) > 0;
  }

  std::string OnBegin(std::string_view pattern, std::uint64_t) override {
    if (pattern != "failures[]") return "";
    if (file_.failures.size() >= kMostFailures) return "is one of more than 1000";
    file_.failures.emplace_back().verdict.outcome = Outcome::kFail;
    agents_.clear();
    return "";
  }

  std::string OnEnd(std::string_view pattern, std::uint64_t) override {
    if (pattern.empty() && !schema_) return "has no schema";
    if (pattern.empty() && !agent_) return "has no agent";
    if (pattern == "failures[]" && file_.failures.back().check.empty()) return "has no check";
    return "";
  }

  std::string OnValue(std::string_view pattern, const Json& value, std::uint64_t) override {
    if (pattern.empty()) return "is not an object";
    if (pattern == "schema") return ReadSchema(value);
    if (pattern == "agent") return ReadAgent(value);
    if (pattern.starts_with("known.")) return ReadKnown(pattern.substr(6), value);
    if (pattern == "failures[].steps[]") return ReadStep(value);
    if (pattern.starts_with("failures[].")) return ReadFailure(pattern.substr(11), value);
    if (pattern == "failures" || pattern == "known") return "is of another type";
    return "";
  }

 private:
  std::string ReadSchema(const Json& value) {
    if (value != "pmproof-agent-exchange/1") return "is not \"pmproof-agent-exchange/1\"";
    schema_ = true;
    return "";
  }

  std::string ReadAgent(const Json& value) {
    JsonMembers members(value);
    file_.command = Texts(members, "command");
    file_.transport = members.Text("transport");
    file_.says_ready = members.Flag("notready");
    agent_ = true;
    return members.wrong();
  }

  std::string ReadKnown(std::string_view member, const Json& value) {
    if (++known_ > kMostKnown) return "is one of more than 1000000";
    Knowledge& known = file_.known;
    const bool is_word = value.is_number_unsigned() && value.get<std::uint64_t>() <= 0xffffffff;
    if (member == "domain") {
      if (value.is_null()) return "";
      if (!is_word || value.get<std::uint32_t>() > 510) return "is not a domain";
      known.domain = value.get<std::uint32_t>();
      known.domain_known = true;
    } else if (member == "names_from") {
      if (!is_word || value.get<std::uint32_t>() > 3) return "is not a number from 0 to 3";
      known.source = static_cast<Knowledge::Source>(value.get<std::uint32_t>());
    } else if (member == "flags") {
      if (!is_word || value.get<std::uint32_t>() > 0xffff) return "is not a number of 16 bits";
      known.flags = static_cast<std::uint16_t>(value.get<std::uint32_t>());
    } else if (member == "storable[]") {
      if (!is_word) return "is not a PMID";
      known.storable.push_back(Pmid{value.get<std::uint32_t>()});
    } else if (member == "metrics[]") {
      return ReadMetric(value, &known.metrics);
    } else if (member == "misdescribed[]") {
      return ReadMetric(value, &known.misdescribed);
    } else if (member == "instances[]") {
      return ReadInstance(value, &known.instances);
    } else if (member == "root" || member == "names[]" || member == "unknown[]") {
      if (!value.is_string()) return "is not a string";
      std::string text = FromJsonString(value.get_ref<const std::string&>());
      if (member == "root")
        known.root = std::move(text);
      else
        (member == "names[]" ? known.names : known.unknown).push_back(std::move(text));
    }
    return "";
  }

  std::string ReadFailure(std::string_view member, const Json& value) {
    RecordedFailure& failure = file_.failures.back();
    if (member == "offences") {
      if (!value.is_number_unsigned()) return "is not a number";
      failure.verdict.offences = value.get<std::uint64_t>();
      return "";
    }
    if (member == "steps") return "is of another type";
    if (member != "check" && member != "because" && member != "not_repeatable") return "";
    if (!value.is_string()) return "is not a string";
    std::string text = FromJsonString(value.get_ref<const std::string&>());
    if (member == "check") {
      const auto check = ParseCheck(text);
      if (!check) return "is not a check";
      failure.check = *check;
    } else if (member == "because") {
      failure.verdict.because = std::move(text);
    } else {
      failure.recording.not_repeatable = std::move(text);
    }
    return "";
  }

  std::string ReadStep(const Json& value) {
    JsonMembers members(value);
    ExchangeStep step{.kind = members.Parsed("kind", &ParseStepKind)};
    const std::uint64_t agent = members.Count("agent");
    if (agent == 0 || agent > kMostAgents) members.Fail("agent", "is not a number from 1 to 1000");
    step.agent = static_cast<unsigned>(agent);
    if (members.Find("octets") != nullptr) {
      auto bytes = ParseOctets(members.Text("octets"), Recording::kMost);
      if (!bytes) members.Fail("octets", "are not words of hexadecimal digits, of at most 20 MiB");
      if (bytes) step.bytes = *std::move(bytes);
    }
    if (members.Find("how") != nullptr) step.text = members.Text("how");
    if (members.Find("milliseconds") != nullptr) {
      step.milliseconds = members.Count("milliseconds");
      if (step.milliseconds > kLongestWait) members.Fail("milliseconds", "is longer than a day");
    }
    if (members.Find("arguments") != nullptr) step.words = Texts(members, "arguments");
    if (members.Find("elsewhere") != nullptr) step.elsewhere = members.Flag("elsewhere");
    if (!members.wrong().empty()) return members.wrong();
    return Take(std::move(step));
  }

  std::string Take(ExchangeStep step) {
    using Kind = ExchangeStep::Kind;
    Recording& recording = file_.failures.back().recording;
    const bool needs_octets = step.kind == Kind::kSent || step.kind == Kind::kReceived;
    if (needs_octets && step.bytes.empty()) return "has no octets";
    if (step.kind == Kind::kStart) {
      if (step.agent != agents_.size() + 1) return "starts an agent that is not the next one";
      agents_.push_back(true);
    } else if (step.agent > agents_.size() || !agents_[step.agent - 1]) {
      return "is of an agent that does not run";
    } else if (step.kind == Kind::kGone) {
      agents_[step.agent - 1] = false;
    }
    recording.bytes += step.bytes.size();
    recorded_ += step.bytes.size();
    if (recording.bytes > Recording::kMost || recorded_ > kMostRecorded) {
      return "is beyond the octets that are recorded at most";
    }
    if (recording.steps.size() >= Recording::kMostSteps) return "is one of more than 200000";
    recording.steps.push_back(std::move(step));
    return "";
  }

  ExchangeFile& file_;
  bool schema_ = false;
  bool agent_ = false;
  std::size_t known_ = 0;
  std::size_t recorded_ = 0;
  std::vector<bool> agents_{};  // of the failure: whether each still runs
};

}  // namespace

Result<ExchangeFile> ReadExchanges(Bytes document, const std::string& name) {
  ExchangeFile file;
  Reader reader(&file);
  if (auto wrong = ReadJson(document, name, reader, {.value = kLongestValue})) {
    return tl::unexpected(*std::move(wrong));
  }
  return file;
}

}  // namespace pmproof::validator::agent
