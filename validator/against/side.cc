// SPDX-License-Identifier: Apache-2.0
#include "validator/against/side.h"

#include <algorithm>
#include <utility>

#include "reference/archive/archive_set.h"
#include "reference/archive/file_set.h"
#include "reference/archive/set_metrics.h"

namespace pmproof::validator::against {
namespace {

// What the metadata of an open archive take beside the mapping of its file.
std::size_t MemoryOf(const archive::OpenedMember& opened) {
  constexpr std::size_t kCopied = std::size_t{64} * 1024;  // PosixOptions::copy_up_to
  const archive::Metadata& metadata = opened.metadata;
  std::size_t size = metadata.descs.capacity() * sizeof(archive::DescRecord) +
                     metadata.indoms.capacity() * sizeof(archive::IndomRecord) +
                     metadata.labels.capacity() * sizeof(archive::LabelRecord) +
                     metadata.texts.capacity() * sizeof(archive::TextRecord) +
                     metadata.positions.capacity() * sizeof(archive::RecordPosition);
  const auto meta = opened.files.parts.find(archive::kMetaPart);
  const bool compressed =
      meta != opened.files.parts.end() && meta->second.compression != archive::Compression::kNone;
  if (compressed || metadata.end <= kCopied) size += metadata.end;
  return size;
}

Status Unsupported(const std::string& file, Clause clause, std::string message) {
  return {.kind = Status::Kind::kUnsupported,
          .file = file,
          .clause = clause,
          .message = std::move(message)};
}

Timestamp StartOf(const SideMember& member) { return member.opened.label->start.Normalised(); }

}  // namespace

Result<Side> Side::Open(const archive::Storage& storage, const std::vector<ArchiveReport>& judged,
                        const archive::SourceLimits& limits, std::size_t budget) {
  Side side;
  archive::ArchiveFinder finder(storage);
  for (const ArchiveReport& report : judged) {
    const archive::FoundArchive found = finder.Find(report.archive);
    SideMember member{report.archive, archive::OpenMember(storage, found, limits, budget),
                      report.summary.finish};
    if (member.opened.error) return tl::unexpected(*member.opened.error);
    for (const archive::IndomRecord& indom : member.opened.metadata.indoms) {
      if (!indom.tangled()) continue;
      return tl::unexpected(Unsupported(member.opened.files.FileName(archive::kMetaPart),
                                        "ARC-1421"_clause,
                                        "its instance names overlap each other so much that they "
                                        "are not compared"));
    }
    const std::size_t used = MemoryOf(member.opened);
    if (used > budget) return tl::unexpected(archive::BeyondBudget(report.archive));
    budget -= used;
    side.members_.push_back(std::move(member));
  }
  std::ranges::stable_sort(side.members_, {}, StartOf);

  const std::string& host = side.members_.front().opened.label->host;
  archive::SetMetrics metrics;
  archive::IgnoringReporter ignore;
  for (const SideMember& member : side.members_) {
    if (member.opened.label->host != host) {
      return tl::unexpected(Unsupported(
          member.name, "ARC-552"_clause,
          "is of another host than " + side.members_.front().name +
              ": archives of several hosts are not read together; compare them host by host"));
    }
    const archive::DescriptorClash clash =
        metrics.Add(member.name, member.opened.metadata.descs, ignore);
    if (clash.error != ErrorCode::kOk) {
      return tl::unexpected(Unsupported(
          member.name, "ARC-553"_clause,
          "describes a metric in another way than the archives before it: they are not read "
          "together"));
    }
  }
  side.Arrange();
  return side;
}

void Side::Arrange() {
  std::vector<Timestamp> open;  // ends of the members before, those that matter
  std::optional<Timestamp> latest;
  std::size_t last = 0;  // the member that ends at `latest`
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Timestamp start = StartOf(members_[i]);
    const Timestamp end = members_[i].end ? std::max(members_[i].end->Normalised(), start) : start;
    std::erase_if(open, [&](Timestamp other) { return other < start; });
    open.push_back(end);
    abreast_ = std::max(abreast_, open.size());
    if (latest) {
      if (*latest > start || StartOf(members_[i - 1]) == start) {
        overlaps_.push_back({last, i});
      } else {
        seams_.push_back(std::min(*latest + 1'000'000, start));
      }
    }
    if (!latest || end >= *latest) {
      latest = end;
      last = i;
    }
  }
}

std::map<Pmid, SideMetric> Side::Metrics() const {
  std::map<Pmid, SideMetric> metrics;
  for (const SideMember& member : members_) {
    for (const archive::DescRecord& desc : member.opened.metadata.descs) {
      const auto [found, is_new] = metrics.try_emplace(desc.descriptor.pmid);
      if (is_new) found->second.descriptor = desc.descriptor;
      desc.ForEachName([&, &names = found->second.names](std::string_view name, std::size_t) {
        names.insert(name);
      });
    }
  }
  return metrics;
}

}  // namespace pmproof::validator::against
