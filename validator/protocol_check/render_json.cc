// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/protocol_check/render.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator::agent {
namespace {

// All PDUs of one direction, one group of digits each.
std::string Hex(const CheckOutcome& outcome, ExchangeLine::Kind kind) {
  std::string text;
  for (const ExchangeLine& line : outcome.exchange) {
    if (line.kind != kind || line.bytes.empty()) continue;
    std::string hex = HexWords(line.bytes);
    std::erase(hex, ' ');
    text += (text.empty() ? "" : " ") + hex;
  }
  return text;
}

Json ExchangeJson(const CheckOutcome& outcome, const char* whose) {
  Json lines = Json::array();
  for (const ExchangeLine& line : outcome.exchange) {
    Json item = {{whose, line.agent},
                 {"kind", line.kind == ExchangeLine::Kind::kSent       ? "sent"
                          : line.kind == ExchangeLine::Kind::kReceived ? "received"
                                                                       : "event"},
                 {"text", line.text}};
    if (line.kind != ExchangeLine::Kind::kEvent || !line.bytes.empty()) {
      std::string hex = HexWords(line.bytes);
      std::erase(hex, ' ');
      item["bytes"] = line.size;
      item["octets"] = hex;
    }
    lines.push_back(std::move(item));
  }
  return lines;
}

Json OffencesJson(const CheckOutcome& outcome) {
  Json first = Json::array();
  for (const std::string& because : ShownOffences(outcome.verdict)) first.push_back(because);
  Json json = {{"count", outcome.verdict.offences}, {"first", first}};
  if (outcome.expected > 0) {
    json["expected"] = {{"count", outcome.expected}, {"because", outcome.expected_because}};
  }
  return json;
}

Json SaidJson(const std::vector<AgentOutput>& said) {
  Json all = Json::array();
  for (const AgentOutput& output : said) {
    Json lines = Json::array();
    for (const std::string& line : output.lines) lines.push_back(line);
    all.push_back(
        {{"agent", output.agent}, {"from", output.from}, {"cut", output.cut}, {"lines", lines}});
  }
  return all;
}

Json Remarks(const AgentReport& report) {
  Json remarks = Json::array();
  for (const std::string& remark : report.remarks) remarks.push_back(remark);
  return remarks;
}

Json AgentJson(const AgentReport& report) {
  Json command = Json::array();
  for (const std::string& word : report.command) command.push_back(word);
  Json json = Json::object();
  if (!report.files.empty()) json["files"] = report.files;
  json.update({{"command", command},
               {"transport", report.transport.empty() ? Json(nullptr) : Json(report.transport)},
               {"domain", report.domain ? Json(*report.domain) : Json(nullptr)},
               {"metrics", report.metrics},
               {"indoms", report.indoms},
               {"instances", report.instances},
               {"found_by", report.names_from},
               {"remarks", Remarks(report)}});
  return json;
}

Json CollectorJson(const AgentReport& report, const CollectorFacts& collector) {
  return {{"address", collector.address},
          {"version", collector.version ? Json(*collector.version) : Json(nullptr)},
          {"version_from", collector.version_from},
          {"agents", collector.agents},
          {"remarks", Remarks(report)}};
}

Json ClaimJson(const Claim& claim) {
  Json not_covered = Json::array();
  for (const Claim::Gap& gap : claim.not_covered) {
    Json checks = Json::array();
    for (const Clause id : gap.checks) checks.push_back(id.ToString());
    not_covered.push_back({{"needs", gap.needs}, {"checks", checks}});
  }
  return {{"claim", claim.ToText()},
          {"because", claim.because.empty() ? Json(nullptr) : Json(claim.because)},
          {"not_covered", not_covered}};
}

}  // namespace

void RenderJson(const AgentReport& report, const CheckCatalogue& catalogue, std::ostream& out) {
  Json checks = Json::array();
  for (const CheckOutcome& outcome : report.checks) {
    const CheckEntry& entry = *catalogue.Find(outcome.id);
    Json check = {{"id", outcome.id.ToString()},
                  {"title", entry.title},
                  {"section", entry.section},
                  {"severity", validator::ToText(entry.severity)},
                  {"outcome", ToText(outcome.verdict.outcome)},
                  {"because", outcome.verdict.because},
                  {"sent", Hex(outcome, ExchangeLine::Kind::kSent)},
                  {"received", Hex(outcome, ExchangeLine::Kind::kReceived)},
                  {"bytes_sent", outcome.bytes_sent},
                  {"bytes_received", outcome.bytes_received},
                  {"milliseconds", outcome.took.count()}};
    if (outcome.verdict.outcome == Outcome::kFail) {
      check["offences"] = OffencesJson(outcome);
      if (!report.collector) check["said"] = SaidJson(outcome.said);
      check["exchange"] = ExchangeJson(outcome, report.collector ? "connection" : "agent");
    }
    if (!outcome.declared.empty()) check["declared"] = outcome.declared;
    checks.push_back(std::move(check));
  }
  Json list_faults = Json::array();
  for (const std::string& fault : report.list_faults) list_faults.push_back(fault);
  const Tally tally = TallyOf(report, catalogue);
  const Claim claim = ClaimOf(report, catalogue);
  const Json json = {
      {"schema", report.collector ? "pmproof-collector-report/2" : "pmproof-agent-report/2"},
      {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"checks", catalogue.digest()}}},
      {report.collector ? "collector" : "agent",
       report.collector ? CollectorJson(report, *report.collector) : AgentJson(report)},
      {"failure", report.failure ? Json(Displayable(*report.failure)) : Json(nullptr)},
      {"claim", ClaimJson(claim)},
      {"conformant", claim.conformant()},
      {"counts",
       {{"passed", tally.passed},
        {"not_checked", tally.not_checked},
        {"declared", tally.declared},
        {"fatal", tally.failed.fatal},
        {"error", tally.failed.error},
        {"warning", tally.failed.warning},
        {"info", tally.failed.info}}},
      {"checks", checks},
      {"list_faults", list_faults},
      {"footer", {{"complete", true}, {"milliseconds", report.took.count()}}}};
  out << DumpJson(json, 2) << '\n';
}

}  // namespace pmproof::validator::agent
