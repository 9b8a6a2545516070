// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "reference/archive/time_zone.h"
#include "validator/check/check.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"
#include "validator/testee/request_reader.h"

// Operation archive.validate: which rules of the catalogue (ARC-1001..2109) an archive, or several
// opened as one, breaks.

namespace pmproof::validator {
namespace {

constexpr char kZones[] = "/usr/share/zoneinfo";

Timestamp Now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return Timestamp{} + std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
}

// Each rule once for each severity, with the place where it is broken first, and how often it is
// (ARC-2304).
Json FindingsOf(const ArchiveReport& report, Severity least) {
  struct Broken {
    const Finding* first;
    std::uint64_t count = 0;
  };
  std::map<std::pair<Clause, Severity>, Broken> rules;
  for (const Finding& finding : report.findings) {
    if (finding.severity < least) continue;
    Broken& broken = rules.try_emplace(std::pair(finding.rule, finding.severity), Broken{&finding})
                         .first->second;
    broken.count += finding.count;
  }
  Json findings = Json::array();
  for (const auto& [key, broken] : rules) {
    findings.push_back({{"rule", broken.first->rule.ToString()},
                        {"severity", ToText(broken.first->severity)},
                        {"part", PartText(broken.first->part)},
                        {"offset", broken.first->offset},
                        {"length", broken.first->length},
                        {"count", broken.count}});
  }
  return findings;
}

class ArchiveValidate final : public Operation {
 public:
  ArchiveValidate(const archive::Storage& storage, const Catalogue& catalogue)
      : storage_(storage), catalogue_(catalogue), zones_(storage, kZones) {}

  std::string_view name() const override { return "archive.validate"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"least", "profile"});
    const auto least = ParseSeverity(reader.Text(args, "least", "args").value_or("warning"));
    if (!least) reader.Fail("args.least: no severity, such as warning");
    const auto profile = ParseProfile(reader.Text(args, "profile", "args").value_or("archival"));
    if (!profile) reader.Fail("args.profile: none of archival, live and ingest");
    std::vector<std::string> paths = reader.Archives();
    if (reader.stopped()) return reader.Stop();

    CheckOptions options;
    options.profile = *profile;
    options.now = Now();
    if (storage_.KindOf(kZones) == archive::DirectoryEntry::Kind::kDirectory) {
      options.zones = &zones_;
    }
    // A list is checked as a set.
    std::string name = paths.front();
    for (std::size_t i = 1; i < paths.size(); ++i) name += "," + paths[i];
    return Answer(CheckAll(storage_, {name}, catalogue_, options, nullptr), *least);
  }

 private:
  static Outcome Answer(const Report& report, Severity least) {
    for (const Status& error : report.errors) return OutcomeOf(error);
    bool readable = true;
    bool conformant = true;
    Json findings = Json::array();
    for (const ArchiveReport& archive : report.archives) {
      if (archive.failure) return OutcomeOf(*archive.failure);
      if (!archive.internal_errors.empty()) return Failure{archive.internal_errors.front()};
      readable = readable && archive.readable;
      conformant = conformant && archive.conformant;
      for (Json& finding : FindingsOf(archive, least)) findings.push_back(std::move(finding));
    }
    const Json json = {
        {"readable", readable}, {"conformant", conformant}, {"findings", std::move(findings)}};
    return Answered{DumpJson(json, -1)};
  }

  const archive::Storage& storage_;
  const Catalogue& catalogue_;
  const archive::ZoneDatabase zones_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveValidate(const archive::Storage& storage,
                                               const Catalogue& catalogue) {
  return std::make_unique<ArchiveValidate>(storage, catalogue);
}

}  // namespace pmproof::validator
