// SPDX-License-Identifier: Apache-2.0
// Damage in the middle of the volumes (INT-411, INT-903): what is asked for is answered whatever
// the bytes are, and answers whose bounds do not touch what is damaged stay as they were.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/transform.h"
#include "reference/archive/layout.h"
#include "validator/tests/replay/any_archive.h"
#include "validator/tests/replay/naive_search.h"
#include "validator/tests/replay/replayed.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchiveImage;
using generators::ArchivePlan;
using generators::Random;
using replay::Profile;
using replay::ReplayArchive;

constexpr double kFar = std::numeric_limits<double>::infinity();

// What is damaged: times from the first to the last record that may be lost, both included.
struct Damage {
  double first = kFar;
  double last = -kFar;
  bool all_lost = false;  // the records there cannot be read for sure

  void Add(double at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
  bool IsTouchedBy(const NaiveBounds& bounds) const {
    const bool behind = bounds.prior.kind != NaiveBound::Kind::kNone && bounds.prior.at > last;
    const bool before = bounds.next.kind != NaiveBound::Kind::kNone && bounds.next.at < first;
    return !behind && !before;
  }
  bool IsBetween(const NaiveBounds& bounds) const {
    return bounds.prior.IsValue() && bounds.next.IsValue() && bounds.prior.at < first &&
           last < bounds.next.at;
  }
};

void Scribble(ArchiveImage& image, const std::string& file, std::size_t from, std::size_t to,
              Random& random) {
  if (from >= to) return;
  for (std::uint64_t i = random.Between(1, 8); i > 0; --i) {
    const std::size_t place = from + static_cast<std::size_t>(random.Below(to - from));
    image.SetByte(file, place, static_cast<std::uint8_t>(random.Below(256)));
  }
}

// Damages a volume that is neither the first nor the last; but for the times in it, which are
// believed. Nothing if there is no such volume.
std::optional<Damage> DamageAMiddleVolume(const ArchivePlan& plan, const NaiveSearch& search,
                                          ArchiveImage* image, Random& random) {
  if (plan.volumes.size() < 3) return std::nullopt;
  std::vector<std::pair<std::string, std::size_t>> volumes;  // and the first record
  std::size_t number = 0;
  for (const auto& [volume, results] : plan.volumes) {
    volumes.emplace_back(std::to_string(volume), number);
    number += results.size();
  }
  const auto middle = static_cast<std::size_t>(random.Between(1, volumes.size() - 2));
  const auto& [file, first] = volumes[middle];
  const std::size_t end = volumes[middle + 1].second;
  const auto record = static_cast<std::size_t>(random.Between(first, end - 1));
  const std::vector<std::size_t> offsets = image->Records(file);
  const std::size_t offset = offsets.at(1 + record - first);
  const std::size_t length = image->Word(file, offset);
  const std::size_t head = archive::kLengthWord + archive::LayoutOf(plan.label.version).timestamp;

  Damage damage;
  std::size_t lost_from = record;
  switch (random.Below(4)) {
    case 0:  // what the record says
      Scribble(*image, file, offset + head, offset + length - archive::kLengthWord, random);
      damage.Add(search.TimeOf(record));
      return damage;
    case 1:  // its length, ahead or after
      image->SetWord(file, random.Chance(1, 2) ? offset : offset + length - archive::kLengthWord,
                     static_cast<std::uint32_t>(random.Chance(1, 2) ? random.Next() : length + 4));
      break;
    case 2: {
      const auto left = static_cast<std::size_t>(random.Between(1, length - 1));
      image->Truncate(file, offset + left);
      damage.all_lost = left >= archive::kLengthWord;  // fewer are a clean end (ARC-084)
      break;
    }
    default:  // the label: magic or version
      image->SetWord(file, archive::kLengthWord, static_cast<std::uint32_t>(random.Below(1000)));
      lost_from = first;
      damage.all_lost = true;
  }
  // What is lost from somewhere on is known to be after the record before.
  for (std::size_t i = lost_from - 1; i < end; ++i) damage.Add(search.TimeOf(i));
  return damage;
}

// What is wrong with a metric at a time, beside what it was without the damage.
std::string Wrong(const Damage& damage, const NaiveSearch& search, double t, const GotMetric& sound,
                  const GotMetric& got) {
  bool touched = false;
  bool across = false;
  for (const std::int32_t instance : search.Candidates(sound.pmid)) {
    const NaiveBounds bounds = search.At(sound.pmid, instance, t);
    touched = touched || damage.IsTouchedBy(bounds);
    across = across || damage.IsBetween(bounds);
  }
  if (across && damage.all_lost && got.status != ErrorCode::kLogRecord &&
      sound.status == ErrorCode::kOk) {
    return "an answer across what is lost";
  }
  // How the values of a FLOAT are stored is known from the first of them on (INT-411).
  const bool may_be_float = search.metrics().at(sound.pmid).type == MetricType::kFloat &&
                            got.status == ErrorCode::kLogRecord;
  return touched || may_be_float || sound == got ? "" : "an answer that has to do with the damage";
}

std::string DamageSpreads(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                          const Replay& replay) {
  Random random(seed);
  std::set<std::size_t> starts;
  const std::size_t records = TimesOfRecords(archive).size();
  for (int i = 0; i < 4; ++i) starts.insert(static_cast<std::size_t>(random.Below(records + 1)));
  const ArchivePlan plan = SplitIntoVolumes(archive.plan(), starts);
  const NaiveSearch search(plan);
  ArchiveImage image = Encode(plan);
  const OpenedArchive sound = Open({plan});
  const auto damage = DamageAMiddleVolume(plan, search, &image, random);
  if (!damage) return "";
  OpenedArchive damaged;
  image.Store("dir/damaged", damaged.storage.get());
  damaged.Open({"dir/damaged"});
  if (!sound.archive || !damaged.archive) return sound.error + damaged.error;
  Asked asked = AnyQuestion(archive, *sound.archive, random);
  asked.request.seeks = true;  // INT-706 goes by fetches before
  const std::vector<GotFetch> expected = RealReplay(*sound.archive, asked, profile);
  const std::vector<GotFetch> got = replay(*damaged.archive, asked, profile);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (got.at(i).status != expected[i].status) return "another end: " + ToText(got[i]);
    for (std::size_t m = 0; m < expected[i].metrics.size(); ++m) {
      const std::string wrong = Wrong(*damage, search, search.Relative(asked.times[i]),
                                      expected[i].metrics[m], got[i].metrics.at(m));
      if (wrong.empty()) continue;
      return "damage at " + std::to_string(damage->first) + " to " + std::to_string(damage->last) +
             ", asked for " + ToEpochText(asked.times[i]) + ": " + wrong + "\n" +
             ToText(expected[i].metrics[m]) + "\n" + ToText(got[i].metrics[m]);
    }
  }
  return "";
}

// Any bytes of any file, compressed or not, under all profiles at once: an error, or all answers.
std::string DamageIsNotAnswered(const AnyArchive& archive, std::uint64_t seed,
                                const Profile& profile, const Replay& replay) {
  Random random(seed);
  OpenedArchive damaged;
  if (random.Chance(1, 10)) {
    constexpr archive::Compression kAll[] = {archive::Compression::kXz, archive::Compression::kGzip,
                                             archive::Compression::kBzip2,
                                             archive::Compression::kZstd};
    static_cast<void>(StoreCompressed(Encode(archive.plan()), "dir/damaged", random.Pick(kAll),
                                      damaged.storage.get()));
  } else {
    Encode(archive.plan()).Store("dir/damaged", damaged.storage.get());
  }
  for (std::uint64_t i = random.Between(1, 4); i > 0; --i) {
    auto& files = damaged.storage->files;
    auto file = files.begin();
    std::advance(file, static_cast<std::ptrdiff_t>(random.Below(files.size())));
    std::vector<std::uint8_t>& bytes = file->second;
    if (bytes.empty()) continue;
    const auto place = static_cast<std::size_t>(random.Below(bytes.size()));
    if (random.Chance(1, 8)) {
      bytes.resize(place);
    } else {
      bytes[place] = static_cast<std::uint8_t>(random.Below(256));
    }
  }
  damaged.Open({"dir/damaged"});
  if (!damaged.archive) return damaged.error.empty() ? "an error without words" : "";
  if (AllMetrics(*damaged.archive).empty()) return "";
  Asked asked = AnyQuestion(archive, *damaged.archive, random);
  asked.request.reasons = random.Chance(1, 2);
  const std::vector<GotFetch> got = replay(*damaged.archive, asked, profile);
  for (const GotFetch& fetch : got) {
    const bool is_answer = fetch.metrics.size() == asked.request.metrics.size();
    if (is_answer == (fetch.status == ErrorCode::kOk)) continue;
    return "neither an error nor an answer: " + ToText(fetch);
  }
  const bool ended = !got.empty() && got.back().status != ErrorCode::kOk &&
                     got.back().status != ErrorCode::kEndOfLog;
  return ended || got.size() == asked.times.size() ? "" : "fetches are missing";
}

RC_GTEST_PROP(ReplayDamageTest, AnswersThatDoNotTouchTheDamageStayTheSame, ()) {
  Holds(ArchivesToReplay(), DamageSpreads);
}

RC_GTEST_PROP(ReplayDamageTest, WhateverTheBytesAreThereIsAnAnswerOrAnError, ()) {
  Holds(ArchivesToReplay(), DamageIsNotAnswered);
}

TEST(ReplayDamageTest, AnArchiveGivenUpForOneRecordIsCaught) {
  const auto gives_up = [](const ReplayArchive& archive, const Asked& asked,
                           const Profile& profile) {
    std::vector<GotFetch> got = RealReplay(archive, asked, profile);
    const bool damaged = std::ranges::any_of(got, [](const GotFetch& fetch) {
      return std::ranges::any_of(fetch.metrics, [](const GotMetric& metric) {
        return metric.status == ErrorCode::kLogRecord;
      });
    });
    if (!damaged) return got;
    for (GotFetch& fetch : got) {
      for (GotMetric& metric : fetch.metrics) {
        metric = {metric.pmid, ErrorCode::kLogRecord, {}, {}};
      }
    }
    return got;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), DamageSpreads, gives_up));
}

class GoesAcrossDamage final : public replay::PcpLegacy {
 public:
  replay::Answer At(const replay::Bounds& bounds, const replay::Question& question) const override {
    replay::Bounds others = bounds;
    for (replay::Bound* bound : {&others.prior, &others.next}) {
      if (bound->kind == replay::Bound::Kind::kDamage) *bound = {};
    }
    return PcpLegacy::At(others, question);
  }
};

TEST(ReplayDamageTest, ARuleThatGoesAcrossDamageIsCaught) {  // INT-903
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), DamageSpreads, RealReplay, {GoesAcrossDamage()}));
}

TEST(ReplayDamageTest, AFetchThatIsLostIsCaught) {
  const auto loses_one = [](const ReplayArchive& archive, const Asked& asked,
                            const Profile& profile) {
    std::vector<GotFetch> got = RealReplay(archive, asked, profile);
    if (got.size() > 1) got.erase(got.begin());
    return got;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), DamageIsNotAnswered, loses_one));
}

}  // namespace
}  // namespace pmproof::validator::testing
