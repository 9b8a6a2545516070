// SPDX-License-Identifier: Apache-2.0
// The form of an archive makes no difference to replay: index (INT-306), volumes (INT-901), their
// compression, the version that it is written in.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/transform.h"
#include "validator/tests/replay/any_archive.h"
#include "validator/tests/replay/replayed.h"

namespace pmproof::validator::testing {
namespace {

using generators::ArchivePlan;
using generators::Random;
using replay::Profile;
using replay::ReplayArchive;

// The same archive in another form.
struct Form {
  std::string name;
  OpenedArchive opened;
};

std::size_t RecordsOf(const ArchivePlan& plan) {
  std::size_t records = 0;
  for (const auto& [volume, results] : plan.volumes) records += results.size();
  return records;
}

ArchivePlan AnySplit(const ArchivePlan& plan, Random& random) {
  std::set<std::size_t> starts;
  for (std::uint64_t i = random.Below(6); i > 0; --i) {
    starts.insert(static_cast<std::size_t>(random.Below(RecordsOf(plan) + 1)));
  }
  return SplitIntoVolumes(plan, starts);
}

ArchivePlan AnyIndex(const ArchivePlan& plan, Random& random) {
  if (random.Chance(1, 4)) return DropIndex(plan);
  return IndexEvery(plan, static_cast<std::size_t>(random.Below(5)));  // 1: each record
}

OpenedArchive Compressed(const ArchivePlan& plan, archive::Compression compression) {
  OpenedArchive opened;
  const auto error =
      StoreCompressed(Encode(plan), "dir/archive", compression, opened.storage.get());
  if (error) {
    opened.error = error->ToText();
  } else {
    opened.Open({"dir/archive"});
  }
  return opened;
}

archive::Compression AnyCompression(Random& random) {
  constexpr archive::Compression kAll[] = {archive::Compression::kXz, archive::Compression::kGzip,
                                           archive::Compression::kBzip2,
                                           archive::Compression::kZstd};
  return random.Pick(kAll);
}

std::vector<Form> AnyForms(const ArchivePlan& plan, Random& random) {
  const ArchivePlan split = AnySplit(plan, random);
  std::vector<Form> forms;
  forms.push_back({"no index", Open({DropIndex(plan)})});
  forms.push_back({"another index", Open({AnyIndex(plan, random)})});
  forms.push_back({"all in one volume", Open({MergeVolumes(plan)})});
  forms.push_back({"other volumes", Open({split})});
  forms.push_back({"other volumes and index", Open({AnyIndex(split, random)})});
  if (!random.Chance(1, 10)) return forms;  // compression takes its time
  forms.push_back({"other volumes, compressed", Compressed(split, AnyCompression(random))});
  forms.push_back(
      {"compressed, without index", Compressed(DropIndex(plan), AnyCompression(random))});
  return forms;
}

// What the archive answers is what each of the forms does.
std::string FormsDiffer(const OpenedArchive& opened, const std::vector<Form>& forms,
                        const Asked& asked, const Profile& profile, const Replay& replay) {
  if (!opened.archive) return opened.error;
  const std::vector<GotFetch> expected = RealReplay(*opened.archive, asked, profile);
  for (const Form& form : forms) {
    if (!form.opened.archive) return form.name + ": " + form.opened.error;
    const std::string difference =
        Difference(expected, replay(*form.opened.archive, asked, profile));
    if (!difference.empty()) return form.name + ": " + difference;
  }
  return "";
}

std::string TheFormMatters(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                           const Replay& replay) {
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  Asked asked = AnyQuestion(archive, *opened.archive, random);
  asked.request.seeks = random.Chance(1, 2);
  return FormsDiffer(opened, AnyForms(archive.plan(), random), asked, profile, replay);
}

// Version 3 says all that version 2 does; version 2, if it can say it, all that version 3 does
// (ARC-003, ARC-504).
std::string TheVersionMatters(const AnyArchive& archive, std::uint64_t seed, const Profile& profile,
                              const Replay& replay) {
  Random random(seed);
  const OpenedArchive opened = Open(archive.plans);
  if (!opened.archive) return opened.error;
  Asked asked = AnyQuestion(archive, *opened.archive, random);
  asked.request.seeks = random.Chance(1, 2);
  const int version = archive.plan().label.version;
  const auto other = ToVersion(archive.plan(), 5 - version);
  if (!other) return version == 2 ? other.error().ToText() : "";
  std::vector<Form> forms;
  forms.push_back({"the other version", Open({*other})});
  const auto back = ToVersion(*other, version);
  if (!back) return back.error().ToText();
  forms.push_back({"there and back", Open({*back})});
  return FormsDiffer(opened, forms, asked, profile, replay);
}

RC_GTEST_PROP(ReplayFormsTest, IndexVolumesAndCompressionMakeNoDifference, ()) {
  Holds(ArchivesToReplay(), TheFormMatters);
}

RC_GTEST_PROP(ReplayFormsTest, TheVersionMakesNoDifference, ()) {
  Holds(ArchivesToReplay(), TheVersionMatters);
}

// The archive as a reader has it that goes on from volume to volume wrongly.
class WithoutAVolume {
 public:
  std::vector<GotFetch> operator()(const ReplayArchive& archive, const Asked& asked,
                                   const Profile& profile) const {
    const auto& parts = archive.members().front().files.parts;
    if (parts.rbegin()->first < 2) return RealReplay(archive, asked, profile);
    const auto& storage = dynamic_cast<const archive::MemoryStorage&>(archive.storage());
    OpenedArchive opened;
    opened.storage->files = storage.files;
    opened.storage->files.erase(parts.at(1).path);
    opened.Open({"dir/archive-0"});
    if (!opened.archive) return RealReplay(archive, asked, profile);
    return RealReplay(*opened.archive, asked, profile);
  }
};

TEST(ReplayFormsTest, AVolumeThatIsNotReadIsCaught) {  // INT-901
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), TheFormMatters, WithoutAVolume()));
}

TEST(ReplayFormsTest, AnIndexThatMattersIsCaught) {  // DEV-01
  const auto starts_at_an_entry = [](const ReplayArchive& archive, const Asked& asked,
                                     const Profile& profile) {
    std::vector<GotFetch> got = RealReplay(archive, asked, profile);
    if (!archive.members().front().files.parts.contains(archive::kIndexPart)) {
      for (GotFetch& fetch : got) {
        for (GotMetric& metric : fetch.metrics) {
          if (metric.values.size() > 1) metric.values.pop_back();
        }
      }
    }
    return got;
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), TheFormMatters, starts_at_an_entry));
}

TEST(ReplayFormsTest, ATimeThatIsCutToMicrosecondsIsCaught) {  // ARC-003
  const auto cut_in_version_2 = [](const ReplayArchive& archive, Asked asked,
                                   const Profile& profile) {
    if (archive.members().front().label->version == 2) {
      for (Timestamp& time : asked.times) time.nanoseconds -= time.nanoseconds % 1000;
    }
    return RealReplay(archive, asked, profile);
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), TheVersionMatters, cut_in_version_2));
  const Property from_version_3 = [](const AnyArchive& archive, std::uint64_t seed,
                                     const Profile& profile, const Replay& replay) {
    if (archive.plan().label.version == 2) return std::string();
    return TheVersionMatters(archive, seed, profile, replay);
  };
  EXPECT_TRUE(IsCaught(ArchivesToReplay(), from_version_3, cut_in_version_2));
}

}  // namespace
}  // namespace pmproof::validator::testing
