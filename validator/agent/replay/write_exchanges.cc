// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "validator/agent/replay/exchange_file.h"
#include "validator/agent/replay/octets.h"
#include "validator/agent/replay/step_names.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator::agent {
namespace {

Json Strings(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(text);
  return json;
}

Json MetricJson(const KnownMetric& metric) {
  return {{"name", metric.name},
          {"pmid", metric.pmid.value},
          {"type", static_cast<std::int32_t>(metric.descriptor.type)},
          {"indom", metric.descriptor.indom.value},
          {"semantics", static_cast<std::int32_t>(metric.descriptor.semantics)},
          {"units", metric.descriptor.units.word},
          {"described_as", metric.descriptor.pmid.value},
          {"dynamic", metric.dynamic},
          {"numval", metric.numval}};
}

void WriteKnown(const Knowledge& known, LongJson* json) {
  json->Key("known").Object();
  json->Members({{"domain", known.domain_known ? Json(known.domain) : Json(nullptr)},
                 {"names_from", static_cast<unsigned>(known.source)},
                 {"root", known.root},
                 {"flags", known.flags}});
  json->Key("metrics").Array();
  for (const KnownMetric& metric : known.metrics) json->Value(MetricJson(metric));
  json->Close();
  json->Key("misdescribed").Array();
  for (const KnownMetric& metric : known.misdescribed) json->Value(MetricJson(metric));
  json->Close();
  json->Key("instances").Array();
  for (const auto& [indom, instances] : known.instances) {
    json->Value({{"indom", indom.value}, {"number", nullptr}, {"name", ""}});
    for (const KnownInstance& instance : instances) {
      json->Value({{"indom", indom.value}, {"number", instance.number}, {"name", instance.name}});
    }
  }
  json->Close();
  json->Key("names").Array();
  for (const std::string& name : known.names) json->Value(name);
  json->Close();
  json->Key("unknown").Array();
  for (const std::string& name : known.unknown) json->Value(name);
  json->Close();
  json->Key("storable").Array();
  for (const Pmid pmid : known.storable) json->Value(pmid.value);
  json->Close();
  json->Close();
}

// For people.
std::string TitleOf(const ExchangeStep& step) {
  constexpr std::size_t kLongest = 200;
  pdu::Decoder decoder;
  const auto decoded = decoder.Decode(step.bytes);
  std::string title = decoded ? ToText(*decoded)
                      : step.bytes.size() < pdu::kHeaderSize
                          ? "less than a header"
                          : ToText(pdu::LoadHeader(step.bytes).type) + " that does not decode";
  return title.size() > kLongest ? title.substr(0, kLongest) + "..." : title;
}

Json StepJson(const ExchangeStep& step, const std::vector<std::string>& command) {
  using Kind = ExchangeStep::Kind;
  Json json = {{"agent", step.agent}, {"kind", NameOf(step.kind)}};
  if (step.kind == Kind::kSent || step.kind == Kind::kReceived) json["title"] = TitleOf(step);
  if (!step.bytes.empty()) json["octets"] = OctetsText(step.bytes);
  if (step.kind == Kind::kNothing) json["milliseconds"] = step.milliseconds;
  if (!step.text.empty()) json["how"] = step.text;
  if (step.kind == Kind::kStart) {
    const bool longer = step.words.size() > command.size() &&
                        std::equal(command.begin(), command.end(), step.words.begin());
    if (longer) {
      json["arguments"] = Strings(
          {step.words.begin() + static_cast<std::ptrdiff_t>(command.size()), step.words.end()});
    }
    if (step.elsewhere) json["elsewhere"] = true;
  }
  return json;
}

}  // namespace

void WriteExchanges(const AgentReport& report, const Knowledge& known, bool says_ready,
                    std::ostream& out) {
  LongJson json(out);
  json.Object();
  json.Members({{"schema", "pmproof-agent-exchange/1"},
                {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
                {"agent",
                 {{"command", Strings(report.command)},
                  {"transport", report.transport},
                  {"notready", says_ready}}}});
  WriteKnown(known, &json);
  json.Key("failures").Array();
  for (const CheckOutcome& outcome : report.checks) {
    if (outcome.verdict.outcome != Outcome::kFail || !outcome.recording) continue;
    const Recording& recording = *outcome.recording;
    json.Object().Members({{"check", outcome.id.ToString()},
                           {"because", outcome.verdict.because},
                           {"offences", outcome.verdict.offences},
                           {"not_repeatable", recording.not_repeatable}});
    json.Key("steps").Array();
    for (const ExchangeStep& step : recording.steps) json.Value(StepJson(step, report.command));
    json.Close().Close();
  }
  json.Close().Close();
  out << '\n';
}

}  // namespace pmproof::validator::agent
