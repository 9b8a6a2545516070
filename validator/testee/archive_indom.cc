// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>

#include "validator/testee/archive_lookup.h"
#include "validator/testee/identifier_argument.h"
#include "validator/testee/operation.h"

// Operation archive.indom: the instances of a domain, at a time (ARC-346) or ever (ARC-348).

namespace pmproof::validator {
namespace {

using archive::InstanceCursor;
using archive::InstanceDomain;

// What the names of an answer may be together.
constexpr std::uint64_t kLongestResult = std::uint64_t{32} << 20;

using Instances = std::map<std::int32_t, std::string_view>;

// Of an identifier with several names the temporally last one counts.
Instances EverIn(const InstanceDomain& domain) {
  struct Named {
    std::string_view name;
    const archive::IndomRecord* record;
  };
  std::map<std::int32_t, Named> last;
  for (const InstanceDomain::Step& step : domain.steps()) {
    for (std::uint32_t i = 0; i < step.record->count; ++i) {
      const auto name = step.record->Name(i);
      if (!name) continue;
      const auto [known, added] = last.try_emplace(step.record->Id(i), Named{*name, step.record});
      // Within a record the first occurrence counts (ARC-1408).
      if (!added && known->second.record != step.record) known->second = {*name, step.record};
    }
  }
  Instances instances;
  for (const auto& [id, named] : last) instances.emplace(id, named.name);
  return instances;
}

Instances InAt(const InstanceDomain& domain, Timestamp time) {
  Instances instances;
  InstanceCursor(domain, time).ForEach([&](std::int32_t id, std::string_view name) {
    instances.emplace(id, name);
  });
  return instances;
}

class ArchiveIndom final : public Operation {
 public:
  explicit ArchiveIndom(const archive::Storage& storage) : storage_(storage) {}

  std::string_view name() const override { return "archive.indom"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.args(), "args", {"indom", "time"});
    const Indom indom = TakeIndom(&reader, "indom");
    const std::optional<Timestamp> time = TakeTime(&reader, "time");
    const auto archive = TakeArchive(&reader, storage_);
    if (reader.stopped()) return reader.Stop();

    const replay::ReplayDomain* const domain = archive->DomainOf(indom);
    const bool exists = domain != nullptr && !domain->records.steps().empty() &&
                        (!time || domain->records.StepsUntil(*time) > 0);
    Json json = CodeJson(exists ? ErrorCode::kOk : ErrorCode::kIndomLog);
    Json instances = Json::array();
    if (exists) {
      const Instances named = time ? InAt(domain->records, *time) : EverIn(domain->records);
      // Names can share their bytes (ARC-1421), and be far longer than the archive.
      std::uint64_t length = 0;
      for (const auto& [id, name] : named) length += name.size();
      if (length > kLongestResult) {
        return Failure{"the names are longer than " + std::to_string(kLongestResult) + " bytes"};
      }
      for (const auto& [id, name] : named) {
        instances.push_back({{"instance", id}, {"name", TextOf(name)}});
      }
    }
    json["instances"] = std::move(instances);
    return Answered{DumpJson(json, -1)};
  }

 private:
  const archive::Storage& storage_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveIndom(const archive::Storage& storage) {
  return std::make_unique<ArchiveIndom>(storage);
}

}  // namespace pmproof::validator
