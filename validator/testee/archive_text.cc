// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <utility>

#include "reference/core/help_text.h"
#include "validator/testee/archive_lookup.h"
#include "validator/testee/identifier_argument.h"
#include "validator/testee/operation.h"

// Operation archive.text: the help texts of an archive (ARC-430..433, MET-801, MET-802).

namespace pmproof::validator {
namespace {

// ARC-433: of a metric or a domain the text stored last counts, for the whole archive.
HelpTexts TextsOf(const replay::ReplayArchive& archive) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string_view> last;
  for (const archive::OpenedMember& member : archive.members()) {
    for (const archive::TextRecord& text : member.metadata.texts) {
      last[{text.type, text.identifier}] = text.text;
    }
  }
  HelpTexts texts;
  for (const auto& [key, text] : last) {
    texts.Add(static_cast<TextType>(key.first), key.second, std::string(text));
  }
  return texts;
}

class ArchiveText final : public Operation {
 public:
  explicit ArchiveText(const archive::Storage& storage) : storage_(storage) {}

  std::string_view name() const override { return "archive.text"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"metric", "indom", "kind"});
    if (args.contains("metric") == args.contains("indom")) {
      reader.Fail("args: needs either metric or indom");
    }
    const std::optional<std::string> metric = reader.Text(args, "metric", "args");
    const Indom indom = metric ? Indom::Null() : TakeIndom(&reader, "indom");
    const std::uint32_t asked = TakeKind(&reader);
    const auto archive = TakeArchive(&reader, storage_);
    if (reader.stopped()) return reader.Stop();

    const HelpTexts texts = TextsOf(*archive);
    if (!metric) return Answer(texts.Find(indom, asked));
    const auto pmid = FindMetric(*archive, *metric);
    if (!pmid) return Answer(tl::unexpected(pmid.error()));
    return Answer(texts.Find(*pmid, asked));
  }

 private:
  static std::uint32_t TakeKind(RequestReader* reader) {
    const std::string kind = reader->NeededText(reader->args(), "kind", "args");
    if (kind != "oneline" && kind != "help") reader->Fail("args.kind: neither oneline nor help");
    return kind == "help" ? kTextHelp : kTextOneLine;
  }

  static Outcome Answer(const tl::expected<std::string_view, ErrorCode>& text) {
    Json json = CodeJson(text ? ErrorCode::kOk : text.error());
    if (text) json["text"] = TextOf(*text);
    return Answered{DumpJson(json, -1)};
  }

  const archive::Storage& storage_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveText(const archive::Storage& storage) {
  return std::make_unique<ArchiveText>(storage);
}

}  // namespace pmproof::validator
