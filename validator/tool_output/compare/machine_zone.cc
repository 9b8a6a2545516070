// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/machine_zone.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>

#include "validator/tool_output/scan.h"

namespace pmproof::validator::compare {
namespace {

using tool_output::Scan;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Three letters or more, or such with digits and signs in angle brackets.
bool TakeAbbreviation(Scan* scan) {
  std::size_t size = 0;
  if (scan->Take("<")) {
    const auto name = scan->TakeUntil(">");
    if (!name || name->size() < 3) return false;
    for (const char c : *name) {
      if (!IsLetter(c) && !IsDigit(c) && c != '+' && c != '-') return false;
    }
    return true;
  }
  while (size < scan->rest().size() && IsLetter(scan->rest()[size])) ++size;
  return size >= 3 && scan->Take(scan->rest().substr(0, size));
}

// `[+-]H[H[H]][:MM[:SS]]`
bool TakeTime(Scan* scan, unsigned most_hours) {
  if (!scan->Take("-")) scan->Take("+");
  const auto hours = scan->TakeNumber<std::uint16_t>();
  if (!hours || *hours > most_hours) return false;
  for (int i = 0; i < 2 && scan->Take(":"); ++i) {
    const auto part = scan->TakeDigits(2);
    if (!part || *part > 59) return false;
  }
  return true;
}

// `Mm.w.d`, `Jn` or `n`, and perhaps `/TIME`.
bool TakeRule(Scan* scan) {
  if (scan->Take("M")) {
    const auto month = scan->TakeNumber<unsigned>();
    if (!month || *month < 1 || *month > 12 || !scan->Take(".")) return false;
    const auto week = scan->TakeNumber<unsigned>();
    if (!week || *week < 1 || *week > 5 || !scan->Take(".")) return false;
    const auto day = scan->TakeNumber<unsigned>();
    if (!day || *day > 6) return false;
  } else {
    const bool from_one = scan->Take("J");
    const auto day = scan->TakeNumber<unsigned>();
    if (!day || *day > 365 || (from_one && *day == 0)) return false;
  }
  return !scan->Take("/") || TakeTime(scan, 167);
}

// Summer time needs its rules: those of a machine's default are not the tool's.
bool IsPosix(std::string_view zone) {
  Scan scan(zone);
  if (!TakeAbbreviation(&scan) || !TakeTime(&scan, 24)) return false;
  if (scan.AtEnd()) return true;
  if (!TakeAbbreviation(&scan)) return false;
  if (!scan.rest().starts_with(',') && !TakeTime(&scan, 24)) return false;
  return scan.Take(",") && TakeRule(&scan) && scan.Take(",") && TakeRule(&scan) && scan.AtEnd();
}

// Whether the tz database has a file of that name.
bool IsInDatabase(std::string_view zone) {
  if (zone.empty() || zone.front() == '/' || zone.find("..") != std::string_view::npos) {
    return false;
  }
  const char* const folder = std::getenv("TZDIR");
  const std::string path =
      std::string(folder != nullptr ? folder : "/usr/share/zoneinfo") + "/" + std::string(zone);
  char magic[4] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "TZif";
}

void SetZone(const std::optional<std::string>& zone) {
  zone ? setenv("TZ", zone->c_str(), 1) : unsetenv("TZ");
  tzset();
}

}  // namespace

std::optional<std::string> MachineZone::Unknown(const std::string& zone) {
  std::string_view name = zone;
  if (name.starts_with(':')) name.remove_prefix(1);
  if (IsInDatabase(name) || IsPosix(name)) return std::nullopt;
  return "neither a zone of this machine's tz database (Europe/Berlin) nor a POSIX zone with its "
         "rules (EST+5, CET-1CEST,M3.5.0,M10.5.0/3)";
}

MachineZone::MachineZone(const std::string& zone) {
  if (const char* const before = std::getenv("TZ")) before_ = before;
  SetZone(zone);
}

MachineZone::~MachineZone() { SetZone(before_); }

std::int64_t MachineZone::OffsetAt(std::int64_t seconds) const {
  const std::time_t time = seconds;
  std::tm parts{};
  return localtime_r(&time, &parts) == nullptr ? 0 : parts.tm_gmtoff;
}

}  // namespace pmproof::validator::compare
