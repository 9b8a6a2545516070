// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "validator/check/report/report_json.h"
#include "validator/custody/render_recheck.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json FileJson(const FileComparison& file) {
  Json json = {{"name", file.name},
               {"now", file.now.empty() ? Json(nullptr) : Json(file.now)},
               {"state", ToText(file.state)}};
  if (file.first_difference) json["first_difference"] = *file.first_difference;
  if (!file.no_difference_because.empty()) {
    json["no_difference_because"] = file.no_difference_because;
  }
  return json;
}

Json BagJson(const BagCheck& bag) {
  return {{"valid", bag.valid()},         {"problems", bag.problems}, {"more_problems", bag.more},
          {"algorithms", bag.algorithms}, {"files", bag.files},       {"bytes", bag.bytes}};
}

class JsonWriter final : public RecheckWriter {
 public:
  JsonWriter(const Catalogue& catalogue, std::ostream& out)
      : catalogue_(catalogue), json_(out), out_(out) {}

  void Begin(const RecheckSubject& subject) override {
    const CertificateHead& head = subject.head;
    const auto policy_json = [](const std::optional<CertifiedPolicy>& policy) {
      return policy ? Json({{"file", policy->use.file}, {"sha256", ToHex(policy->sha256)}})
                    : Json(nullptr);
    };
    json_.Object().Members(
        {{"schema", "pmproof-recheck/1"},
         {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", catalogue_.digest()}}},
         {"certificate",
          {{"file", subject.file},
           {"sha256", ToHex(subject.sha256)},
           {"created", head.created},
           {"tool_version", head.tool_version},
           {"catalogue_version", head.catalogue_version},
           {"rules", head.catalogue_digest},
           {"policy", policy_json(head.policy)}}},
         {"policy", policy_json(subject.policy)},
         {"same_policy", subject.judges ? Json(subject.SamePolicy()) : Json(nullptr)}});
    if (subject.bag) json_.Key("bag").Value(BagJson(*subject.bag));
    json_.Key("archives").Array();
  }

  void Archive(const ArchiveComparison& archive) override {
    Json files = Json::array();
    for (const FileComparison& file : archive.files) {
      if (file.state != FileState::kUnchanged) files.push_back(FileJson(file));
    }
    Json differences = Json::array();
    for (const FindingDifference& difference : archive.differences) {
      differences.push_back({{"change", difference.is_new ? "new" : "gone"},
                             {"finding", FindingJson(difference.finding)}});
      differences.back()["finding"].erase("follows");
    }
    Json unmet = Json::array();
    for (const UnmetDifference& difference : archive.unmet) {
      unmet.push_back({{"change", difference.is_new ? "new" : "gone"},
                       {"finding", PolicyFindingsJson({difference.finding}).front()}});
    }
    json_.Value({{"archive", archive.name},
                 {"state", ToText(archive.state)},
                 {"certified", ToText(archive.certified)},
                 {"now", archive.now ? Json(ToText(*archive.now)) : Json(nullptr)},
                 {"judged_otherwise", archive.JudgedOtherwise()},
                 {"failure", archive.failure ? StatusJson(*archive.failure) : Json(nullptr)},
                 {"internal_errors", archive.internal_errors},
                 {"files", std::move(files)},
                 {"differences", std::move(differences)},
                 {"unmet", std::move(unmet)}});
  }

  void End(const RecheckTotals& totals) override {
    json_.Close().Key("footer").Value({{"complete", true},
                                       {"archives", totals.archives},
                                       {"unchanged", totals.unchanged},
                                       {"recompressed", totals.recompressed},
                                       {"changed", totals.changed},
                                       {"missing", totals.missing},
                                       {"not_certified", totals.not_certified},
                                       {"no_answer", totals.no_answer},
                                       {"without_verdict", totals.without_verdict},
                                       {"judged_otherwise", totals.judged_otherwise}});
    json_.Close();
    out_ << '\n';
  }

 private:
  const Catalogue& catalogue_;
  LongJson json_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<RecheckWriter> RecheckJson(const Catalogue& catalogue, std::ostream& out) {
  return std::make_unique<JsonWriter>(catalogue, out);
}

}  // namespace pmproof::validator
