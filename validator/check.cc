#include "validator/check.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "reference/archive/file_set.h"
#include "validator/archive_check.h"

namespace pmproof::validator {
namespace {

// An archive of more bytes than this is checked by all threads together, smaller ones each by one.
constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

// The bytes of an archive's files as they are stored.
std::uint64_t StoredSize(const archive::Storage& storage, const std::string& name) {
  archive::IgnoringReporter ignore;
  const Result<archive::FileSet> files = archive::FindArchive(storage, name, ignore);
  std::uint64_t size = 0;
  if (!files) return 0;
  for (const auto& [part, file] : files->parts) {
    if (const auto stored = storage.Open(file.path)) size += (*stored)->bytes().size();
  }
  return size;
}

}  // namespace

ArchiveReport CheckArchive(const archive::Storage& storage, const std::string& name,
                           const Catalogue& catalogue, const CheckOptions& options) {
  return ArchiveCheck(storage, catalogue, options, nullptr).Run(name);
}

Report CheckAll(const archive::Storage& storage, const std::vector<std::string>& arguments,
                const Catalogue& catalogue, const CheckOptions& options, ProgressSink* progress) {
  Report report;
  report.profile = options.profile;
  archive::ArchiveNames names = archive::ListArchives(storage, arguments, true);
  report.errors = std::move(names.errors);
  report.archives.resize(names.names.size());

  std::vector<std::size_t> large;
  std::vector<std::size_t> small;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    const std::uint64_t size = StoredSize(storage, names.names[i]);
    bytes += size;
    (size > kLarge ? large : small).push_back(i);
  }
  if (progress != nullptr) progress->Expect(names.names.size(), bytes);

  CheckOptions alone = options;
  alone.jobs = 1;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t k = next++; k < small.size(); k = next++) {
      report.archives[small[k]] =
          ArchiveCheck(storage, catalogue, alone, progress).Run(names.names[small[k]]);
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t helpers =
        std::min<std::size_t>(std::max(options.jobs, 1U), std::max<std::size_t>(small.size(), 1)) -
        1;
    for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
    work();
  }
  for (const std::size_t i : large) {
    report.archives[i] = ArchiveCheck(storage, catalogue, options, progress).Run(names.names[i]);
  }
  return report;
}

}  // namespace pmproof::validator
