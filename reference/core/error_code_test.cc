// SPDX-License-Identifier: Apache-2.0
#include "reference/core/error_code.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace pmproof {
namespace {

ErrorCode Code(std::int32_t number) { return static_cast<ErrorCode>(number); }

TEST(ErrorCode, OfPcpHasItsName) {  // ARC-019
  EXPECT_EQ(ToText(ErrorCode::kLogRecord), "PM_ERR_LOGREC");
  EXPECT_EQ(ToText(ErrorCode::kLabel), "PM_ERR_LABEL");
  EXPECT_EQ(ToText(ErrorCode::kFeature), "PM_ERR_FEATURE");
  EXPECT_EQ(ToText(Code(-12350)), "PM_ERR_APPVERSION");
}

TEST(ErrorCode, OfTheProtocolHasItsNameAndIsInNoArchive) {  // MET-1102, ARC-1715
  for (const auto& [number, name] :
       {std::pair(-12371, "PM_ERR_MODE"), std::pair(-12374, "PM_ERR_NOTARCHIVE"),
        std::pair(-12377, "PM_ERR_PROFILESPEC"), std::pair(-12381, "PM_ERR_NOPROFILE"),
        std::pair(-12398, "PM_ERR_THREAD"), std::pair(-12399, "PM_ERR_NOCONTAINER"),
        std::pair(-12400, "PM_ERR_BADSTORE"), std::pair(-12408, "PM_ERR_NEEDCLIENTCERT"),
        std::pair(-12414, "PM_ERR_TLS"), std::pair(-12442, "PM_ERR_BOTCH"),
        std::pair(-12443, "PM_ERR_TOOSMALL"), std::pair(-12445, "PM_ERR_FAULT"),
        std::pair(-21344, "PM_ERR_NYI")}) {
    EXPECT_EQ(ToText(Code(number)), name);
    EXPECT_FALSE(IsKnown(Code(number))) << name;
  }
}

TEST(ErrorCode, OfTheOperatingSystemIsAnErrno) { EXPECT_EQ(ToText(Code(-32)), "errno 32"); }

TEST(ErrorCode, OtherNumbersAreShownAsNumbers) { EXPECT_EQ(ToText(Code(-4711)), "code -4711"); }

TEST(ErrorCode, IsKnownIfCurrentReadersTranslateIt) {  // ARC-019, ARC-1715
  for (const std::int32_t known : {-12345, -12350, -12351, -12358, -12365, -12386, -12389, -12413,
                                   -12444, -13393, -13394, -1, -32, -200}) {
    EXPECT_TRUE(IsKnown(Code(known))) << known;
  }
}

TEST(ErrorCode, IsNotKnownIfRetiredOrNeverGiven) {  // ARC-019
  for (const std::int32_t unknown : {-12352, -12356, -12367, -12393, -12395, -12396, -12403, -12414,
                                     -12344, -1000, -1048, -201, 1, 7}) {
    EXPECT_FALSE(IsKnown(Code(unknown))) << unknown;
  }
}

TEST(ErrorCode, MayBeAnyNumberThatAFileHolds) {
  EXPECT_FALSE(IsKnown(Code(std::numeric_limits<std::int32_t>::min())));
  EXPECT_EQ(ToText(Code(std::numeric_limits<std::int32_t>::min())), "code -2147483648");
}

}  // namespace
}  // namespace pmproof
