// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <memory>
#include <optional>
#include <variant>

#include "reference/pmda/names/help_source.h"
#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/pmns_source.h"
#include "validator/testee/operation.h"
#include "validator/testee/text_input.h"

// Operation help.parse: help-text source, and what it compiles to.

namespace pmproof::validator {
namespace {

std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 0xf]};
  }
  return text;
}

class HelpParse final : public Operation {
 public:
  std::string_view name() const override { return "help.parse"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.input(), "input", {"file", "names"});
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"compile", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    const auto order = reader.Text(args, "compile", "args");
    if (order && *order != "little" && *order != "big") {
      reader.Fail("args.compile: neither little nor big");
    }
    const TextInput input = TakeTextInput(&reader, "file");
    pmda::NameTree names;
    if (reader.input().contains("names")) names = NamesOf(&reader);
    if (reader.stopped()) return reader.Stop();

    const pmda::HelpSource source = pmda::ReadHelpSource(
        input.text, input.path, names,
        version == PcpVersion::k7_2 ? pmda::HelpLimits::From72() : pmda::HelpLimits::UpTo638());
    Json json = {{"status", source.status}, {"entries", EntriesJson(source.entries)}};
    if (order) {
      const pmda::CompiledHelp files = pmda::CompileHelp(
          source.entries, *order == "little" ? std::endian::little : std::endian::big);
      json["dir"] = Hex(files.dir);
      json["pag"] = Hex(files.pag);
    }
    return Answered{DumpJson(json, -1)};
  }

 private:
  static pmda::NameTree NamesOf(RequestReader* reader) {
    const std::string path = reader->NeededText(reader->input(), "names", "input");
    if (reader->stopped()) return {};
    auto source = pmda::ReadPmnsFile(path);
    if (source) return std::move(source->names);
    reader->StopBy(RejectOf(source.error()));
    return {};
  }

  static Json EntriesJson(const std::vector<pmda::HelpEntry>& entries) {
    Json list = Json::array();
    for (const pmda::HelpEntry& entry : entries) {
      Json json;
      if (const auto* indom = std::get_if<Indom>(&entry.id)) {
        json["indom"] = ToText(*indom);
      } else {
        json["pmid"] = DottedText(std::get<Pmid>(entry.id));
      }
      json["oneline"] = entry.one_line;
      json["help"] = entry.full;
      list.push_back(std::move(json));
    }
    return list;
  }
};

}  // namespace

std::unique_ptr<Operation> MakeHelpParse() { return std::make_unique<HelpParse>(); }

}  // namespace pmproof::validator
