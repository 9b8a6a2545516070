// SPDX-License-Identifier: Apache-2.0
//
// InstanceCursor::HasInOrder().
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "reference/archive/instance_domain.h"
#include "reference/archive/model.h"
#include "reference/archive/testing/meta_record_bytes.h"

namespace pmproof::archive {
namespace {

using testing::MetaRecordBytes;
using Ids = std::vector<std::int32_t>;

constexpr Indom kIndom = Indom::Of(29, 1);

// A domain of full records and deltas at second 0, 1 and so on.
class Records {
 public:
  Records& Add(const Ids& ids, bool delta = false) {
    std::vector<InstanceModel> entries;
    for (const std::int32_t id : ids) entries.push_back({id, "n" + std::to_string(id)});
    const auto time = static_cast<std::int64_t>(bytes_.size());
    bytes_.emplace_back(IndomModel{{time, 0}, kIndom, entries, delta}, 3);
    IgnoringReporter reporter;
    records_.push_back(DecodeIndom(bytes_.back().View(), 3, reporter).value());
    return *this;
  }

  // After all of them.
  bool HaveInOrder(const Ids& ids) const {
    std::vector<const IndomRecord*> pointers;
    for (const IndomRecord& record : records_) pointers.push_back(&record);
    const InstanceDomain domain(pointers);
    InstanceCursor cursor(domain);
    cursor.AdvanceToStep(domain.steps().size());
    std::vector<std::uint32_t> words(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      StoreU32(reinterpret_cast<std::uint8_t*>(&words[i]), static_cast<std::uint32_t>(ids[i]));
    }
    return cursor.HasInOrder(words);
  }

 private:
  std::deque<MetaRecordBytes> bytes_;
  std::deque<IndomRecord> records_;
};

Ids Many() {
  Ids ids;
  for (std::int32_t k = 0; k < 100; ++k) ids.push_back(k * 37 % 101);
  return ids;
}

TEST(InstancesInOrderTest, AreThoseOfTheRecordAndAllButAFewOfThem) {
  Records records;
  records.Add(Many());
  EXPECT_TRUE(records.HaveInOrder(Many()));
  EXPECT_TRUE(records.HaveInOrder({}));
  for (std::ptrdiff_t at = 0; at < 100; ++at) {
    Ids some = Many();
    some.erase(some.begin() + at, some.begin() + std::min<std::ptrdiff_t>(at + 7, 100));
    EXPECT_TRUE(records.HaveInOrder(some)) << at;
  }
}

TEST(InstancesInOrderTest, NoneIsAnotherOne) {
  Records records;
  records.Add(Many());
  for (std::size_t at = 0; at < 100; ++at) {
    for (const std::int32_t id : {-1, 1000, 64}) {
      Ids other = Many();
      if (other[at] == id) continue;
      other[at] = id;
      EXPECT_FALSE(records.HaveInOrder(other)) << at << " " << id;
    }
    Ids more = Many();
    more.push_back(more[at]);
    EXPECT_FALSE(records.HaveInOrder(more)) << at;
  }
}

TEST(InstancesInOrderTest, NoneIsThereTwice) {
  Records records;
  records.Add(Many());
  for (std::size_t at = 0; at < 100; ++at) {
    Ids twice = Many();
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(at), twice[at]);
    EXPECT_FALSE(records.HaveInOrder(twice)) << at;
  }
}

TEST(InstancesInOrderTest, NothingIsKnownOfARecordWithAnInstanceTwice) {
  EXPECT_FALSE(Records().Add({1, 2, 2, 3}).HaveInOrder({1, 2, 2, 3}));
}

TEST(InstancesInOrderTest, NothingIsKnownBeforeTheFirstRecord) {
  EXPECT_FALSE(Records().HaveInOrder({1}));
}

TEST(InstancesInOrderTest, NothingIsKnownAfterADelta) {
  EXPECT_FALSE(Records().Add({1, 2, 3}).Add({4}, true).HaveInOrder({1, 2, 3}));
  EXPECT_FALSE(Records().Add(Many()).Add({1000}, true).HaveInOrder(Many()));
  EXPECT_TRUE(Records().Add({1, 2, 3}).Add({4}, true).Add({7, 8}).HaveInOrder({7, 8}));
}

RC_GTEST_PROP(InstancesInOrderProperty, TheyAreDistinctAndInTheDomain, ()) {
  const auto any = rc::gen::container<Ids>(rc::gen::inRange(0, 60));
  const Ids listed = *any;
  RC_PRE(!listed.empty());
  Ids asked = *rc::gen::element(listed, *any);
  asked.resize(*rc::gen::inRange<std::size_t>(0, asked.size() + 1));
  const std::set<std::int32_t> domain(listed.begin(), listed.end());
  const std::set<std::int32_t> distinct(asked.begin(), asked.end());
  if (!Records().Add(listed).HaveInOrder(asked)) return;
  RC_ASSERT(distinct.size() == asked.size());
  RC_ASSERT(std::ranges::includes(domain, distinct));
}

}  // namespace
}  // namespace pmproof::archive
