// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TIME_ZONE_H_
#define PMPROOF_REFERENCE_ARCHIVE_TIME_ZONE_H_

#include <string>
#include <string_view>
#include <utility>

#include "reference/archive/storage.h"

namespace pmproof::archive {

// True for a POSIX TZ string with an offset, such as "AEST-10" or "EST-11EST-10,89/2:00,299/2:00".
// Hours up to 167 are taken, as the C library does.
bool IsPosixTimeZone(std::string_view text);

// True for what can be a name in the tz database: components that begin with a letter, of
// letters, digits and "_+-", with slashes between ("UTC", "America/New_York", "Etc/GMT+5"). Nothing
// is looked up.
bool IsTimeZoneName(std::string_view text);

// True if a zone, without the colon in front, leads out of the zone database or away from the names
// in it: it is absolute, or has a part "." or "..".
bool IsTimeZonePath(std::string_view text);

// Knows which zones exist.
class ZoneChecker {
 public:
  virtual ~ZoneChecker() = default;
  virtual bool Exists(std::string_view name) const = 0;
};

// The tz database below a folder, such as /usr/share/zoneinfo: a zone exists if there is a file of
// that name. `storage` outlives it. Whether there is a database at all is for the caller to know.
class ZoneDatabase final : public ZoneChecker {
 public:
  ZoneDatabase(const Storage& storage, std::string folder)
      : storage_(storage), folder_(std::move(folder)) {}
  bool Exists(std::string_view name) const override;

 private:
  const Storage& storage_;
  std::string folder_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_TIME_ZONE_H_
