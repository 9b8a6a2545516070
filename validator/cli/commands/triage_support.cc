// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/triage_support.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "validator/triage/read_triage.h"

namespace pmproof::validator {
namespace {

std::optional<Timestamp> ChangeOf(const std::string& file) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(file, error);
  if (error) return std::nullopt;
  const auto since_epoch = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return Timestamp{} + std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
}

}  // namespace

TriageOptions TriageOptionsOf(const CheckOptions& check) {
  TriageOptions options;
  options.check = check;
  options.changed = ChangeOf;
  return options;
}

Result<std::vector<ArchiveReport>> ArchivesOfReport(Bytes document, const std::string& file,
                                                    const Catalogue& catalogue) {
  std::vector<ArchiveReport> archives;
  const Result<ReportFrame> frame = ReadOwnReport(
      document, file, catalogue, [&](ArchiveReport archive, TriageNote) -> std::string {
        if (archive.members.empty()) archives.push_back(std::move(archive));
        return "";
      });
  if (!frame) return tl::unexpected(frame.error());
  return archives;
}

}  // namespace pmproof::validator
