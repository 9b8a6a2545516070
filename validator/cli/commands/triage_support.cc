// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/commands/triage_support.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "validator/replay/when.h"
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

void TriageDurations::Declare(Options& options, const std::string& needs_live_within,
                              const std::string& needs_gap) {
  options
      .Text("--live-within", "DURATION",
            "An archive that is conformant only as one that is being written is live if one of "
            "its files changed within this time" +
                needs_live_within,
            &live_within_)
      .Default("1h");
  options
      .Text("--gap", "DURATION",
            "Name gaps between archives of one directory that are longer than this" + needs_gap,
            &gap_)
      .Default("10min");
}

std::string TriageDurations::Wrong() const {
  for (const auto& [option, text] :
       {std::pair("--live-within", live_within_), std::pair("--gap", gap_)}) {
    if (text && !ParseDuration(*text)) {
      return std::string(option) + ": no duration: " + *text + " (such as 10min, 1h)";
    }
  }
  return "";
}

TriageOptions TriageOptionsOf(const CheckOptions& check, const TriageDurations& durations) {
  TriageOptions options;
  options.check = check;
  options.changed = ChangeOf;
  const auto take = [](const std::optional<std::string>& text, std::int64_t* nanoseconds) {
    if (text) *nanoseconds = ParseDuration(*text).value_or(*nanoseconds);
  };
  take(durations.live_within_, &options.live_within);
  take(durations.gap_, &options.gap);
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
