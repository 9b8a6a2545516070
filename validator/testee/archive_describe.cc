// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "validator/replay/value_text.h"
#include "validator/testee/archive_lookup.h"
#include "validator/testee/operation.h"

// Operation archive.describe: what an archive, or several opened as one, says of itself: label,
// span, and the descriptor of each metric.

namespace pmproof::validator {
namespace {

class ArchiveDescribe final : public Operation {
 public:
  explicit ArchiveDescribe(const archive::Storage& storage) : storage_(storage) {}

  std::string_view name() const override { return "archive.describe"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.args(), "args", {"metrics", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    const bool chosen = reader.args().contains("metrics");
    std::vector<std::string> names;
    if (chosen) names = reader.Texts(reader.args()["metrics"], "args.metrics");
    const auto archive = TakeArchive(&reader, storage_, version);
    if (reader.stopped()) return reader.Stop();

    Json metrics = Json::array();
    if (chosen) {
      for (const std::string& name : names) metrics.push_back(Named(*archive, name, version));
    } else {
      for (const auto& [pmid, metric] : archive->metrics()) {
        metrics.push_back({{"pmid", ToText(pmid)},
                           {"names", NamesOf(*archive, metric)},
                           {"descriptor", DescriptorJson(metric.descriptor, version)}});
      }
    }
    const auto end = archive->End();
    const Json json = {{"start", TimeText(archive->origin().start())},
                       {"end", end ? Json(TimeText(*end)) : Json(nullptr)},
                       {"labels", Labels(*archive)},
                       {"metrics", std::move(metrics)}};
    return Answered{DumpJson(json, -1)};
  }

 private:
  static Json Labels(const replay::ReplayArchive& archive) {
    Json labels = Json::array();
    for (const archive::OpenedMember& member : archive.members()) {
      labels.push_back({{"version", member.label->version},
                        {"pid", member.label->pid},
                        {"start", TimeText(member.label->start)},
                        {"host", TextOf(member.label->host)},
                        {"timezone", TextOf(member.label->timezone)}});
    }
    return labels;
  }

  static Json Named(const replay::ReplayArchive& archive, const std::string& name,
                    PcpVersion version) {
    const auto pmid = FindMetric(archive, name);
    Json json = {{"name", name}};
    json.update(CodeJson(pmid ? ErrorCode::kOk : pmid.error()));
    if (!pmid) return json;
    json["pmid"] = ToText(*pmid);
    json["descriptor"] = DescriptorJson(archive.metrics().at(*pmid).descriptor, version);
    return json;
  }

  const archive::Storage& storage_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveDescribe(const archive::Storage& storage) {
  return std::make_unique<ArchiveDescribe>(storage);
}

}  // namespace pmproof::validator
