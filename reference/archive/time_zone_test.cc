// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/time_zone.h"

#include <gtest/gtest.h>

namespace pmproof::archive {
namespace {

TEST(TimeZone, ZonesOfRealArchivesArePosix) {
  for (const char* zone :
       {"AEST-10", "EST-11EST-10,89/2:00,299/2:00", "EDT+4", "PST8PDT", "IST-5:30",
        "GMT0BST-1,M3.5.0/2,M10.5.0/2", "PST+8", "<+0330>-3:30", "AEST-10AEDT,M10.1.0,M4.1.0/3",
        "IST-2IDT,M3.4.4/26,M10.5.0", "EST5EDT,J60/2,J300/-1"}) {
    EXPECT_TRUE(IsPosixTimeZone(zone)) << zone;
  }
}

TEST(TimeZone, OtherTextsAreNotPosix) {
  for (const char* zone :
       {"", "UTC", "UT0", "not a tz!", "EST5EDT,", "EST5EDT,M3.5.0", "EST5,M3.5.0,M10.5.0",
        "EST5EDT,M13.1.0,M4.1.0", "EST5EDT,M3.6.0,M4.1.0", "EST5EDT,366,1", "EST5EDT,J0,J1",
        "EST168", "EST5:60", "<+03-3", "EST5EDT4x", ":UTC", "EST-", "EST5EDT,M3.5.0,M10.5.0,",
        "EST99999999999999999999"}) {
    EXPECT_FALSE(IsPosixTimeZone(zone)) << zone;
  }
}

TEST(TimeZone, NamesHaveComponents) {
  for (const char* zone :
       {"UTC", "America/New_York", "Etc/GMT+5", "America/Argentina/Buenos_Aires", "EST5EDT"}) {
    EXPECT_TRUE(IsTimeZoneName(zone)) << zone;
  }
  for (const char* zone : {"", "/UTC", "UTC/", "a//b", "../UTC", "not a tz!", "5", "a.b"}) {
    EXPECT_FALSE(IsTimeZoneName(zone)) << zone;
  }
}

TEST(TimeZone, TheDatabaseKnowsTheFilesBelowItsFolder) {
  MemoryStorage storage;
  storage.files["zones/Europe/Berlin"] = {};
  storage.files["secret"] = {};
  const ZoneDatabase zones(storage, "zones");
  EXPECT_TRUE(zones.Exists("Europe/Berlin"));
  EXPECT_FALSE(zones.Exists("Europe"));
  EXPECT_FALSE(zones.Exists("Europe/Bonn"));
  EXPECT_FALSE(zones.Exists("../secret"));
}

}  // namespace
}  // namespace pmproof::archive
