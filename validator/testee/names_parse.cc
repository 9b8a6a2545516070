// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "reference/pmda/names/agent_pmns.h"
#include "reference/pmda/names/pmns_source.h"
#include "validator/testee/operation.h"
#include "validator/testee/text_input.h"

// Operation names.parse: PMNS source, of a whole name space or of an agent's folder.

namespace pmproof::validator {
namespace {

class NamesParse final : public Operation {
 public:
  std::string_view name() const override { return "names.parse"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.input(), "input", {"file"});
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"one_name", "agent", "domain"});
    const bool one = reader.Flag(args, "one_name", "args").value_or(false);
    const bool agent = reader.Flag(args, "agent", "args").value_or(false);
    const auto domain = reader.Integer(args, "domain", "args", 0, 510);
    if (domain && !agent) reader.Fail("args.domain: of an agent's part of a name space alone");
    if (one && agent) reader.Fail("args.one_name: of a whole name space alone");
    const TextInput input = TakeTextInput(&reader, "file");
    if (reader.stopped()) return reader.Stop();
    return agent ? OfAgent(input, domain) : OfAll(input, one);
  }

 private:
  static Outcome OfAll(const TextInput& input, bool one) {
    const auto source =
        pmda::ReadPmnsFile(input.path, {}, one ? pmda::PmidNames::kOne : pmda::PmidNames::kMany);
    if (!source) return RejectOf(source.error());
    return Answered{DumpJson({{"names", NamesJson(source->names)}}, -1)};
  }

  static Outcome OfAgent(const TextInput& input, std::optional<std::int64_t> domain) {
    pmda::AgentPmnsReading reading;
    if (domain) reading.domain = static_cast<std::uint32_t>(*domain);
    const auto agent = pmda::ReadAgentPmns(input.path, reading);
    if (!agent) return RejectOf(agent.error());
    Json json = {{"names", NamesJson(agent->names)}};
    if (!agent->symbol.empty()) json["symbol"] = agent->symbol;
    return Answered{DumpJson(json, -1)};
  }

  static Json NamesJson(const pmda::NameTree& names) {
    Json list = Json::array();
    const auto leaves = *names.Traverse("");
    for (const auto& leaf : leaves) {
      list.push_back({{"name", leaf.name}, {"pmid", DottedText(leaf.pmid)}});
    }
    return list;
  }
};

}  // namespace

std::unique_ptr<Operation> MakeNamesParse() { return std::make_unique<NamesParse>(); }

}  // namespace pmproof::validator
