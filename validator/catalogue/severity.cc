// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/severity.h"

namespace pmproof::validator {
namespace {

constexpr Severity kSeverities[] = {Severity::kInfo, Severity::kWarning, Severity::kError,
                                    Severity::kFatal};

}  // namespace

const char* ToText(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
    case Severity::kFatal:
      return "fatal";
  }
  return "?";
}

std::optional<Severity> ParseSeverity(std::string_view text) {
  for (const Severity severity : kSeverities) {
    if (text == ToText(severity)) return severity;
  }
  return std::nullopt;
}

const char* ToText(Profile profile) {
  switch (profile) {
    case Profile::kArchival:
      return "archival";
    case Profile::kLive:
      return "live";
    case Profile::kIngest:
      return "ingest";
  }
  return "?";
}

std::optional<Profile> ParseProfile(std::string_view text) {
  for (const Profile profile : kProfiles) {
    if (text == ToText(profile)) return profile;
  }
  return std::nullopt;
}

}  // namespace pmproof::validator
