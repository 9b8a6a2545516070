// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_TESTING_INDEX_RULES_FIXTURE_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_TESTING_INDEX_RULES_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "validator/check/rules/testing/order_walk.h"

namespace pmproof::validator::testing {

// The index of the base archive, of a version: where its fields are, and how they are changed.
class IndexRulesTest : public ::testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
  generators::ArchivePlan base() const { return generators::BaseArchive(version()); }
  std::size_t label() const { return archive::LayoutOf(version()).label; }
  std::size_t entry_size() const { return archive::LayoutOf(version()).index_entry; }
  std::size_t offset_size() const { return version() == 3 ? 8 : 4; }

  std::size_t Entry(std::size_t i) const { return label() + i * entry_size(); }
  std::size_t TimeField(std::size_t i) const { return Entry(i); }
  std::size_t FractionField(std::size_t i) const { return VolumeField(i) - 4; }
  std::size_t VolumeField(std::size_t i) const {
    return Entry(i) + archive::LayoutOf(version()).timestamp;
  }
  std::size_t MetaField(std::size_t i) const { return VolumeField(i) + 4; }
  std::size_t DataField(std::size_t i) const { return MetaField(i) + offset_size(); }

  // Offsets and seconds of these tests fit their (low) word.
  std::uint32_t Low(const generators::ArchiveImage& image, std::size_t field) const {
    return image.Word("index", field + offset_size() - 4);
  }
  void SetLow(generators::ArchiveImage* image, std::size_t field, std::uint32_t value) const {
    image->SetWord("index", field + offset_size() - 4, value);
  }
  void SetSeconds(generators::ArchiveImage* image, std::size_t i, std::int64_t seconds) const {
    image->SetWord("index", TimeField(i), static_cast<std::uint32_t>(seconds));
    if (version() == 3) image->SetWord("index", TimeField(i) + 4, seconds < 0 ? 0xffffffff : 0);
  }
  void SwapFields(generators::ArchiveImage* image, std::size_t a, std::size_t b,
                  std::size_t size) const {
    auto& index = image->files.at("index");
    const auto at = [&index](std::size_t offset) {
      return index.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    std::swap_ranges(at(a), at(a + size), at(b));
  }
  std::size_t Record(const generators::ArchiveImage& image, std::size_t k) const {
    return image.Records("0").at(k + 1);
  }

  // The rules violated by the base archive after a change of its bytes.
  OrderWalk Changed(const std::function<void(generators::ArchiveImage*)>& change) const {
    generators::ArchiveImage image = generators::Encode(base());
    change(&image);
    return OrderWalk(image, version());
  }
};

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_TESTING_INDEX_RULES_FIXTURE_H_
