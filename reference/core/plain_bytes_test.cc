// SPDX-License-Identifier: Apache-2.0
#include "reference/core/plain_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace pmproof {
namespace {

TEST(PlainBytesTest, TextIsPlainIfItsWholeLengthIs) {
  for (std::size_t size = 0; size < 40; ++size) {
    EXPECT_TRUE(IsPlain(std::string(size, ' ')));
    EXPECT_TRUE(IsPlain(std::string(size, '~')));
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, 'a');
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(IsPlain(text), byte >= 0x20 && byte <= 0x7e) << size << " " << at << " " << byte;
        ASSERT_EQ(IsPlain(text), PlainPrefix(text) == size);
      }
    }
  }
}

}  // namespace
}  // namespace pmproof
