// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <utility>

#include "generators/description/description.h"
#include "reference/archive/file_set.h"
#include "reference/archive/output_storage.h"
#include "reference/archive/rewrite.h"
#include "reference/archive/set_member.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"
#include "validator/testee/request_reader.h"
#include "validator/text/quote.h"

// Operation archive.write: the bytes of an archive (ARC-600..604) that is described, or read.

namespace pmproof::validator {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{16} << 20;
constexpr char kOut[] = "out/a";

using Files = std::map<std::string, std::vector<std::uint8_t>>;  // by part

Outcome Answer(const Files& files) {
  std::uint64_t size = 0;
  Json json = Json::object();
  for (const auto& [part, bytes] : files) {
    size += bytes.size();
    if (size > kLargest) {
      return Failure{"the files are larger than " + std::to_string(kLargest) + " bytes"};
    }
    json[part] = Base64(bytes);
  }
  return Answered{DumpJson({{"files", std::move(json)}}, -1)};
}

class ArchiveWrite final : public Operation {
 public:
  explicit ArchiveWrite(const archive::Storage& storage) : storage_(storage) {}

  std::string_view name() const override { return "archive.write"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.args(), "args", {"description", "version"});
    const auto version = reader.Integer(reader.args(), "version", "args", 2, 3);
    const bool described = reader.args().contains("description");
    if (described == !reader.input().empty()) {
      reader.Fail("needs either input or args.description");
    }
    if (described && version) reader.Fail("args.version: the description says it");
    std::vector<std::string> paths;
    if (!described) paths = reader.Archives();
    if (paths.size() > 1) reader.Fail("input.paths: one archive is written at a time");
    if (reader.stopped()) return reader.Stop();
    if (described) return Describe(reader.args()["description"]);
    return Copy(paths.front(), version);
  }

 private:
  static Outcome Describe(const Json& description) {
    const auto archives = generators::ReadDescription(description.dump());
    if (!archives) return Failure{"args.description: " + archives.error().ToText()};
    if (archives->size() != 1) return Failure{"args.description: describes several archives"};
    Files files;
    for (auto& [part, bytes] : archives->front().Image().files) files.emplace(part, bytes);
    return Answer(files);
  }

  Outcome Copy(const std::string& path, std::optional<std::int64_t> version) const {
    const archive::FoundArchive found(storage_, path);
    if (const auto member = archive::OpenMember(storage_, found); member.error) {
      return OutcomeOf(*member.error);
    }
    archive::MemoryStorage memory;
    archive::MemoryOutput output(memory);
    output.space = kLargest;
    archive::RewriteOptions options;
    options.compression = archive::Compression::kNone;
    if (version) options.version = static_cast<int>(*version);
    if (const auto failure = archive::Rewrite(storage_, found.files(), output, kOut, options)) {
      return RefusalOf(*failure);
    }
    Files files;
    for (auto& [name, bytes] : memory.files) files.emplace(name.substr(sizeof kOut), bytes);
    return Answer(files);
  }

  static Outcome RefusalOf(const archive::RewriteFailure& failure) {
    using Cause = archive::RewriteFailure::Cause;
    switch (failure.cause) {
      case Cause::kInput:
        return OutcomeOf(failure.status);
      case Cause::kInexpressible:
        return Reject{"version.inexpressible", failure.status.offset, failure.status.ToText()};
      case Cause::kOutput:
        break;
    }
    return Failure{failure.status.ToText()};
  }

  const archive::Storage& storage_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveWrite(const archive::Storage& storage) {
  return std::make_unique<ArchiveWrite>(storage);
}

}  // namespace pmproof::validator
