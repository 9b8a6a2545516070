// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <variant>

#include "reference/pmda/names/domain_header.h"
#include "reference/pmda/names/domain_register.h"
#include "reference/pmda/names/pmcd_conf.h"
#include "validator/testee/operation.h"
#include "validator/testee/text_input.h"

// Operation configuration.parse: pmcd.conf, the register of domains, an agent's domain.h.

namespace pmproof::validator {
namespace {

Json Words(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& word : words) list.push_back(word);
  return list;
}

const char* ToText(pmda::SocketAgent::Family family) {
  switch (family) {
    case pmda::SocketAgent::Family::kIpv6:
      return "ipv6";
    case pmda::SocketAgent::Family::kUnix:
      return "unix";
    case pmda::SocketAgent::Family::kInet:
      break;
  }
  return "inet";
}

Json AgentJson(const pmda::ConfAgent& agent) {
  Json json = {{"line", agent.line}, {"label", agent.label}, {"domain", agent.domain}};
  if (const auto* dso = std::get_if<pmda::DsoAgent>(&agent.kind)) {
    json["kind"] = "dso";
    json["init"] = dso->init;
    json["path"] = dso->path;
  } else if (const auto* pipe = std::get_if<pmda::PipeAgent>(&agent.kind)) {
    json["kind"] = "pipe";
    json["notready"] = pipe->not_ready;
    json["command"] = Words(pipe->command);
  } else {
    const auto& socket = std::get<pmda::SocketAgent>(agent.kind);
    json["kind"] = "socket";
    json["family"] = ToText(socket.family);
    json["address"] = socket.address;
    json["command"] = Words(socket.command);
  }
  return json;
}

Json AccessJson(const pmda::AccessRule& rule) {
  using Subject = pmda::AccessRule::Subject;
  Json json = {{"line", rule.line},
               {"subject", rule.subject == Subject::kHost   ? "host"
                           : rule.subject == Subject::kUser ? "user"
                                                            : "group"},
               {"names", Words(rule.names)}};
  if (rule.fetch) json["fetch"] = *rule.fetch;
  if (rule.store) json["store"] = *rule.store;
  if (rule.connections) json["connections"] = *rule.connections;
  return json;
}

class ConfigurationParse final : public Operation {
 public:
  std::string_view name() const override { return "configuration.parse"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"form"});
    const std::string form = reader.NeededText(args, "form", "args");
    const bool of_register = form == "register";
    if (form != "pmcd.conf" && !of_register && form != "domain.h") {
      reader.Fail("args.form: neither pmcd.conf nor register nor domain.h");
    }
    if (of_register) {
      reader.KnowKeys(reader.input(), "input", {"file", "local"});
    } else {
      reader.KnowKeys(reader.input(), "input", {"file"});
    }
    const TextInput input = TakeTextInput(&reader, "file");
    TextInput local;
    if (of_register && reader.input().contains("local")) local = TakeTextInput(&reader, "local");
    if (reader.stopped()) return reader.Stop();
    if (of_register) return OfRegister(input, local);
    return form == "domain.h" ? OfHeader(input) : OfPmcd(input);
  }

 private:
  static Outcome OfPmcd(const TextInput& input) {
    const pmda::PmcdConf conf = pmda::ReadPmcdConf(input.text, input.path);
    Json agents = Json::array();
    for (const pmda::ConfAgent& agent : conf.agents) agents.push_back(AgentJson(agent));
    Json access = nullptr;
    if (conf.access) {
      access = Json::array();
      for (const pmda::AccessRule& rule : *conf.access) access.push_back(AccessJson(rule));
    }
    return Answered{DumpJson({{"agents", std::move(agents)},
                              {"access", std::move(access)},
                              {"refused_lines", RefusedLines(conf.problems)}},
                             -1)};
  }

  static Outcome OfRegister(const TextInput& packaged, const TextInput& local) {
    pmda::DomainRegister domains;
    Json json = {{"domains", Json::array()}};
    json["refused_lines"] = RefusedLines(domains.Add(packaged.text, packaged.path, false));
    if (!local.path.empty()) {
      json["refused_local_lines"] = RefusedLines(domains.Add(local.text, local.path, true));
    }
    for (const auto& [number, name] : domains.names()) {
      json["domains"].push_back({{"name", name}, {"domain", number}});
    }
    return Answered{DumpJson(json, -1)};
  }

  static Outcome OfHeader(const TextInput& input) {
    const auto header = pmda::ReadDomainHeader(input.text, input.path);
    if (!header) return RejectOf(header.error());
    return Answered{DumpJson(
        {{"domains", Json::array({{{"name", header->symbol}, {"domain", header->domain}}})}}, -1)};
  }
};

}  // namespace

std::unique_ptr<Operation> MakeConfigurationParse() {
  return std::make_unique<ConfigurationParse>();
}

}  // namespace pmproof::validator
