// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/mutations/mutation_inputs.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "generators/mutations/find.h"
#include "validator/tests/mutations/archive_builder.h"

namespace pmproof::validator::testing {
namespace {

using archive::ValueSetModel;
using generators::ArchivePlan;
using generators::BaseArchive;
using generators::BigEndian;
using generators::kBaseTime;

constexpr std::int32_t kSingular = kInstanceNull;
constexpr std::int32_t kAgain = -12351;  // PM_ERR_AGAIN, an error that agents give in passing

Timestamp After(std::int64_t milliseconds) {
  return Timestamp{kBaseTime, 0} + milliseconds * 1'000'000;
}

std::string Words64(std::uint64_t bits) {
  return BigEndian({static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
}

void AddContextLabels(ArchiveBuilder& builder) {
  builder.Labels(LabelClass::kContext, 0xffffffff,
                 {LabelSet(LabelClass::kContext, kSingular, {{"hostname", "\"testhost\""}})});
}

// The archive of ARC-1000 in volumes of two records.
ArchivePlan BaseInVolumes(int version) {
  ArchivePlan plan = BaseArchive(version);
  std::vector<archive::ResultModel> results = std::move(plan.volumes.at(0));
  plan.volumes.clear();
  for (std::size_t i = 0; i < results.size(); ++i)
    plan.volumes[static_cast<std::int32_t>(i / 2)].push_back(std::move(results[i]));
  const std::size_t change = plan.meta.size() - 1;
  plan.index = {{After(0), 0, 0, 0},
                {After(2000), 1, change, 0},
                {After(3000), 1, change, 1},
                {After(4000), 2, change + 1, 0},
                {After(5000), 2, change + 1, 1}};
  return plan;
}

ArchivePlan BaseWithoutIndex(int version) {
  ArchivePlan plan = BaseArchive(version);
  plan.has_index = false;
  plan.index.clear();
  return plan;
}

// Marks 1 ms after the second and the fifth record, as a logger puts them (ARC-511).
ArchivePlan BaseWithMarks(int version) {
  ArchivePlan plan = BaseArchive(version);
  generators::InsertResult(plan, {0, 5}, {After(4001), {}});
  generators::InsertResult(plan, {0, 2}, {After(1001), {}});
  return plan;
}

// The archive of ARC-1000 as a logger would have written it (ARC-590).
ArchivePlan Logged(int version) {
  ArchiveBuilder logger(version, After(-1000));
  logger.LogueMetadata();
  AddContextLabels(logger);
  logger.Record(Logue(logger.time()).sets);
  ArchivePlan plan = logger.Finish();
  const std::size_t own = plan.meta.size();
  ArchivePlan base = BaseArchive(version);
  std::erase_if(base.meta, [](const archive::MetaRecordModel& record) {
    const auto* labels = std::get_if<archive::LabelRecordModel>(&record);
    return labels != nullptr && labels->label_class == 1;
  });
  plan.meta.insert(plan.meta.end(), base.meta.begin(), base.meta.end());
  std::vector<archive::ResultModel>& results = plan.volumes.at(0);
  results.insert(results.end(), base.volumes.at(0).begin(), base.volumes.at(0).end());
  results.push_back(Logue(After(6000)));
  plan.index.push_back({After(3000), 0, own + base.meta.size() - 1, 4});
  plan.index.push_back({After(6000), 0, plan.meta.size(), 7});
  return plan;
}

// One metric, two records, and nothing else.
ArchivePlan Little(int version) {
  ArchiveBuilder builder(version, After(0));
  const Pmid only = Pmid::Of(60, 0, 1);
  builder.Desc(only, {"only"}, MetricType::kU32, Semantics::kInstant);
  builder.Record({Insitu(only, {{kSingular, 5}})});
  builder.At(After(1000));
  builder.Record({Insitu(only, {{kSingular, 6}})});
  return builder.Finish();
}

// Two counters and a text in a hundred records at odd times, with an index entry for every tenth.
ArchivePlan Long(int version) {
  const Pmid count = Pmid::Of(61, 0, 1);
  const Pmid bytes = Pmid::Of(61, 0, 2);
  const Pmid state = Pmid::Of(61, 1, 0);
  const Indom indom = Indom::Of(61, 0);
  ArchiveBuilder builder(version, After(250));
  builder.Desc(count, {"long.count"}, MetricType::kU64, Semantics::kCounter, Indom::Null(),
               0x00100000);
  builder.Desc(bytes, {"long.bytes"}, MetricType::kU32, Semantics::kCounter, indom, 0x10010000);
  builder.Desc(state, {"long.state"}, MetricType::kString, Semantics::kDiscrete);
  AddContextLabels(builder);
  builder.Instances(indom, {{0, "east"}, {1, "west"}, {2, "north pole"}});
  for (std::uint32_t k = 0; k < 100; ++k) {
    if (k != 0) builder.At(After(250 + 5000 * std::int64_t{k} + k % 3));
    if (k == 40 || k == 80) builder.NextVolume();
    std::vector<ValueSetModel> sets = {
        InBlocks(count, MetricType::kU64, {{kSingular, Words64(0xfffffff0ULL + 3ULL * k)}}),
        Insitu(bytes, {{0, 7 * k}, {1, 9 * k}, {2, 100}})};
    if (k % 20 == 5) {
      sets.push_back(
          InBlocks(state, MetricType::kString, {{kSingular, "state " + std::to_string(k) + '\0'}}));
    }
    builder.Record(std::move(sets), k % 10 == 0);
  }
  return builder.Finish();
}

// Something of everything.
class RichArchive {
 public:
  explicit RichArchive(int version) : builder_(version, After(0)) {}

  ArchivePlan Make() {
    builder_.LogueMetadata();
    AddContextLabels(builder_);
    builder_.Record(Logue(builder_.time()).sets);
    for (std::uint32_t k = 0; k < 12; ++k) {
      builder_.At(After(1000 + 2500 * std::int64_t{k}));
      if (k == 0) {
        Descriptors();
        LabelsAtStart();
        Texts();
      }
      if (k == 4 || k == 9) builder_.NextVolume();
      Domains(k);
      builder_.Record(Sets(k), k == 3 || k == 7);
      if (k == 6) {
        builder_.At(builder_.time() + 1'000'000);
        builder_.Record({});
      }
    }
    builder_.At(After(32'000));
    builder_.Record(Logue(builder_.time()).sets);
    return builder_.Finish();
  }

 private:
  void Descriptors() {
    builder_.Desc(kRead, {"disk.dev.read"}, MetricType::kU64, Semantics::kCounter, kDisks,
                  0x00100000);
    builder_.Desc(kQueue, {"disk.dev.queue", "disk.dev.waiting"}, MetricType::kU32,
                  Semantics::kInstant, kDisks);
    builder_.Desc(kTotal, {"disk.all.total"}, MetricType::k64, Semantics::kCounter, Indom::Null(),
                  0x00100000);
    builder_.Desc(kRss, {"proc.rss"}, MetricType::kU32, Semantics::kInstant, kProcesses,
                  0x10010000);
    builder_.Desc(kCommand, {"proc.cmd"}, MetricType::kString, Semantics::kDiscrete, kProcesses);
    builder_.Desc(kLoad, {"proc.load"}, MetricType::kFloat, Semantics::kInstant, kProcesses);
    builder_.Desc(kCpus, {"hinv.ncpu"}, MetricType::kU32, Semantics::kDiscrete);
    builder_.Desc(kBlob, {"hw.blob"}, MetricType::kAggregate, Semantics::kInstant);
    builder_.Desc(kDegrees, {"hw.temperature", "hw.degrees"}, MetricType::kDouble,
                  Semantics::kInstant);
    builder_.Desc(kBusy, {"hw.busy"}, MetricType::kDouble, Semantics::kCounter, Indom::Null(),
                  0x01003000);
    builder_.Desc(kLine, {"log.line"}, MetricType::kString, Semantics::kInstant);
    builder_.Desc(kSize, {"log.size"}, MetricType::kU32, Semantics::kInstant);
    builder_.Desc(kEvents, {"log.events"}, MetricType::kEvent, Semantics::kInstant);
    builder_.Desc(kFine, {"log.fine"}, MetricType::kHighresEvent, Semantics::kInstant);
    builder_.Desc(kSigned, {"signed.now"}, MetricType::k32, Semantics::kInstant);
  }

  void LabelsAtStart() {
    const auto one = [](LabelClass label_class,
                        const std::vector<std::pair<std::string, std::string>>& labels) {
      return std::vector{LabelSet(label_class, kSingular, labels)};
    };
    builder_.Labels(LabelClass::kDomain, 60, one(LabelClass::kDomain, {{"agent", "\"disk\""}}));
    builder_.Labels(LabelClass::kIndom, kDisks.value,
                    one(LabelClass::kIndom, {{"device_type", "\"block\""}, {"rotates", "true"}}));
    builder_.Labels(LabelClass::kCluster, Pmid::Of(60, 1, 0).value,
                    one(LabelClass::kCluster, {{"source", "\"proc\""}}));
    builder_.Labels(LabelClass::kItem, kDegrees.value,
                    one(LabelClass::kItem, {{"limit", "99.5"}, {"scale", "\"C\""}}));
  }

  void Texts() {
    builder_.Text(TextType::kMetricOneLine, kRead.value, "reads of a disk");
    builder_.Text(TextType::kMetricHelp, kRead.value, "Reads of a disk\nsince it was attached.");
    builder_.Text(TextType::kMetricOneLine, kRss.value, "memory of a process");
    builder_.Text(TextType::kMetricHelp, kRss.value, "Memory of a process.");
    builder_.Text(TextType::kIndomOneLine, kDisks.value, "disks");
    builder_.Text(TextType::kIndomHelp, kDisks.value, "Disks that are attached\nat the time.");
    builder_.Text(TextType::kIndomOneLine, kProcesses.value, "processes");
  }

  void Domains(std::uint32_t k) {
    const auto instance_labels = [](std::int32_t instance, const std::string& value) {
      return LabelSet(LabelClass::kInstances, instance, {{"bay", value}});
    };
    const std::optional<std::string> gone;
    if (k == 0) {
      builder_.Instances(kDisks, {{0, "sda"}, {1, "sdb"}, {2, "sdc"}});
      builder_.Labels(LabelClass::kInstances, kDisks.value,
                      {instance_labels(0, "1"), instance_labels(1, "2"),
                       LabelSet(LabelClass::kInstances, 2, {})});
      builder_.Instances(kProcesses, {{1, "000001 init"}, {100, "000100 bash"}});
    } else if (k == 2) {
      builder_.Change(kProcesses, {{200, "000200 vi"}},
                      {{1, "000001 init"}, {100, "000100 bash"}, {200, "000200 vi"}});
    } else if (k == 4) {
      builder_.Change(kDisks, {{1, gone}}, {{0, "sda"}, {2, "sdc"}});
      builder_.Labels(LabelClass::kContext, 0xffffffff,
                      {LabelSet(LabelClass::kContext, kSingular,
                                {{"hostname", "\"testhost\""}, {"site", "\"north\""}})});
    } else if (k == 7) {
      builder_.Change(kDisks, {{1, "sdb"}, {3, "sdd"}},
                      {{0, "sda"}, {1, "sdb"}, {2, "sdc"}, {3, "sdd"}});
      builder_.Labels(LabelClass::kInstances, kDisks.value,
                      {instance_labels(0, "1"), instance_labels(1, "4"), instance_labels(3, "2")});
      builder_.Change(kProcesses, {{100, gone}, {300, "000300 make"}},
                      {{1, "000001 init"}, {200, "000200 vi"}, {300, "000300 make"}});
    }
  }

  std::vector<std::int32_t> Disks(std::uint32_t k) const {
    if (k < 4) return {0, 1, 2};
    if (k < 7) return {0, 2};
    return {0, 1, 2, 3};
  }

  std::vector<std::int32_t> Processes(std::uint32_t k) const {
    if (k < 2) return {1, 100};
    if (k < 7) return {1, 100, 200};
    return {1, 200, 300};
  }

  std::vector<ValueSetModel> Sets(std::uint32_t k) const {
    std::vector<ValueSetModel> sets = {
        InBlocks(kRead, MetricType::kU64, {}), Insitu(kQueue, {}),
        InBlocks(kTotal, MetricType::k64, {{kSingular, Words64(1'000'000 + 17 * k)}})};
    for (const std::int32_t disk : Disks(k)) {
      const auto at = static_cast<std::uint32_t>(disk);
      // Counters begin anew after the mark.
      const std::uint64_t reads = (k > 6 ? 0 : 0x1'0000'0000ULL) + 100ULL * k * (at + 1);
      sets[0].values.push_back(
          InBlocks(kRead, MetricType::kU64, {{disk, Words64(reads)}}).values[0]);
      sets[1].values.push_back({disk, at + k % 4});
    }
    if (k % 2 == 0) {
      sets.push_back(Insitu(kRss, {}));
      sets.push_back(InBlocks(kLoad, MetricType::kFloat, {}));
      for (const std::int32_t process : Processes(k)) {
        sets[3].values.push_back({process, 4096U * (k + 1)});
        const auto load = std::bit_cast<std::uint32_t>(0.25F * static_cast<float>(k));
        sets[4].values.push_back(
            InBlocks(kLoad, MetricType::kFloat, {{process, BigEndian({load})}}).values[0]);
      }
    }
    if (k == 0 || k == 7) {
      ValueSetModel commands = InBlocks(kCommand, MetricType::kString, {});
      for (const std::int32_t process : Processes(k)) {
        commands.values.push_back(InBlocks(kCommand, MetricType::kString,
                                           {{process, "/bin/p" + std::to_string(process) + '\0'}})
                                      .values[0]);
      }
      sets.push_back(std::move(commands));
      sets.push_back(Insitu(kCpus, {{kSingular, 8}}));
    }
    AddHardware(k, sets);
    if (k % 3 == 1) AddEvents(sets);
    return sets;
  }

  static void AddHardware(std::uint32_t k, std::vector<ValueSetModel>& sets) {
    sets.push_back(Insitu(kSigned, {{kSingular, 3 - k}}));
    sets.push_back(InBlocks(kBlob, MetricType::kAggregate, {{kSingular, std::string(k + 1, 'x')}}));
    if (k % 5 == 3) {
      sets.push_back({kDegrees, 0, {}, k == 3 ? kAgain : 0});
    } else {
      sets.push_back(InBlocks(kDegrees, MetricType::kDouble,
                              {{kSingular, Words64(std::bit_cast<std::uint64_t>(20.5 - k))}}));
    }
    sets.push_back(InBlocks(kBusy, MetricType::kDouble,
                            {{kSingular, Words64(std::bit_cast<std::uint64_t>(0.125 * k))}}));
  }

  void AddEvents(std::vector<ValueSetModel>& sets) const {
    const auto seconds = static_cast<std::uint32_t>(builder_.time().seconds);
    // Two parameters: a text of three bytes and its NUL, and a number.
    const std::string parameters = BigEndian({kLine.value, 0x06000008}) + std::string("abc") +
                                   '\0' + BigEndian({kSize.value, 0x01000008, 3});
    sets.push_back(InBlocks(kEvents, MetricType::kEvent,
                            {{kSingular, BigEndian({2, seconds, 5, 1, 2}) + parameters +
                                             BigEndian({seconds, 6, 0x80000000, 4})}}));
    sets.push_back(InBlocks(kFine, MetricType::kHighresEvent,
                            {{kSingular, BigEndian({1, 0, seconds, 0, 7, 2, 2}) + parameters}}));
  }

  static constexpr Indom kDisks = Indom::Of(60, 1);
  static constexpr Indom kProcesses = Indom::Of(60, 2);
  static constexpr Pmid kRead = Pmid::Of(60, 0, 1);
  static constexpr Pmid kQueue = Pmid::Of(60, 0, 2);
  static constexpr Pmid kTotal = Pmid::Of(60, 0, 3);
  static constexpr Pmid kRss = Pmid::Of(60, 1, 1);
  static constexpr Pmid kCommand = Pmid::Of(60, 1, 2);
  static constexpr Pmid kLoad = Pmid::Of(60, 1, 3);
  static constexpr Pmid kCpus = Pmid::Of(60, 2, 0);
  static constexpr Pmid kBlob = Pmid::Of(60, 2, 1);
  static constexpr Pmid kDegrees = Pmid::Of(60, 2, 2);
  static constexpr Pmid kBusy = Pmid::Of(60, 2, 3);
  static constexpr Pmid kLine = Pmid::Of(60, 3, 1);
  static constexpr Pmid kSize = Pmid::Of(60, 3, 2);
  static constexpr Pmid kEvents = Pmid::Of(60, 3, 3);
  static constexpr Pmid kFine = Pmid::Of(60, 3, 4);
  static constexpr Pmid kSigned = Pmid::Of(61, 0, 0);

  ArchiveBuilder builder_;
};

}  // namespace

std::vector<MutationInput> MutationInputs() {
  const std::set<std::string> no_logues = {"ARC-2008", "ARC-2009"};
  std::vector<MutationInput> inputs;
  for (const int version : {2, 3}) {
    const std::string suffix = "-v" + std::to_string(version);
    const auto add = [&](const char* name, ArchivePlan plan, std::set<std::string> findings) {
      inputs.push_back({name + suffix, std::move(plan), std::move(findings)});
    };
    add("base", BaseArchive(version), no_logues);
    add("volumes", BaseInVolumes(version), no_logues);
    add("no-index", BaseWithoutIndex(version), {"ARC-1003", "ARC-2008", "ARC-2009"});
    add("marks", BaseWithMarks(version), no_logues);
    add("logged", Logged(version), {});
    std::set<std::string> of_little = no_logues;
    if (version == 3) of_little.insert("ARC-1524");
    add("little", Little(version), of_little);
    add("long", Long(version), no_logues);
    add("rich", RichArchive(version).Make(), {});
  }
  for (MutationInput& input : GeneratedInputs()) inputs.push_back(std::move(input));
  return inputs;
}

}  // namespace pmproof::validator::testing
