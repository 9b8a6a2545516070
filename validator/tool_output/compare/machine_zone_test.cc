// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/machine_zone.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace pmproof::validator::compare {
namespace {

constexpr std::int64_t kNovember = 1'700'000'000;
constexpr std::int64_t kJuly = 1'690'000'000;

std::int64_t HoursOf(const char* zone, std::int64_t time) {
  return MachineZone(zone).OffsetAt(time) / 3600;
}

TEST(MachineZone, HasItsOffsetInWinterAndSummer) {  // OUT-108
  EXPECT_EQ(HoursOf("EST+5", kNovember), -5);
  EXPECT_EQ(HoursOf("EST+5", kJuly), -5);
  EXPECT_EQ(HoursOf("Europe/Berlin", kNovember), 1);
  EXPECT_EQ(HoursOf("Europe/Berlin", kJuly), 2);
  EXPECT_EQ(HoursOf("CET-1CEST,M3.5.0,M10.5.0/3", kNovember), 1);
  EXPECT_EQ(HoursOf("CET-1CEST,M3.5.0,M10.5.0/3", kJuly), 2);
}

TEST(MachineZone, LeavesTheEnvironmentAsItWas) {
  setenv("TZ", "UTC", 1);
  HoursOf("EST+5", kNovember);
  EXPECT_STREQ(std::getenv("TZ"), "UTC");
}

TEST(MachineZone, KnowsNamesAndPosixStrings) {
  for (const char* zone : {"Europe/Berlin", ":Europe/Berlin", "EST5EDT", "EST+5", "EST5",
                           "<+0530>-5:30", "EST5EDT4,M3.2.0,M11.1.0", "AAA3BBB,J60/2,300/-1:30"}) {
    EXPECT_EQ(MachineZone::Unknown(zone), std::nullopt) << zone;
  }
  // The C library takes these for UTC, or makes rules up.
  for (const char* zone :
       {"", "Mars/Phobos", "/etc/localtime", "../etc/passwd", "E5", "EST25", "AAA3BBB",
        "AAA3BBB,M13.1.0,M1.1.0", "AAA3BBB,M3.2.0", "EST5 ", "Europe"}) {
    EXPECT_TRUE(MachineZone::Unknown(zone).has_value()) << zone;
  }
}

}  // namespace
}  // namespace pmproof::validator::compare
