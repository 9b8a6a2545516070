// SPDX-License-Identifier: Apache-2.0
#include "qa/dev/bench/kinds.h"

#include <functional>
#include <string>
#include <utility>

#include "qa/dev/bench/archive_writer.h"
#include "qa/dev/bench/host.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/core/metric.h"

namespace pmproof::bench {
namespace {

using archive::ResultModel;
using archive::ValueSetModel;

constexpr const char* kHost = "bench.example.org";
constexpr std::int32_t kPid = 4711;
constexpr Timestamp kStart{1'700'000'000, 123'456'000};
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;

constexpr Indom kLoggers = Indom::Of(2, 1);

archive::LabelModel Label(int version) {
  archive::LabelModel label;
  label.version = version;
  label.pid = kPid;
  label.start = kStart;
  label.host = kHost;
  label.timezone = "UTC";
  if (version == 3) label.zoneinfo = ":UTC";
  return label;
}

archive::BlockModel TextBlock(const std::string& text) {
  return {static_cast<std::uint8_t>(MetricType::kString), text + std::string(1, '\0'),
          std::nullopt};
}

// The record that pmlogger writes first and last (ARC-590).
ResultModel LoggerRecord(Timestamp time) {
  std::string pid(8, '\0');
  pid.back() = 'p';
  ResultModel record{time, {}};
  record.sets.push_back({Pmid::Of(2, 3, 3), archive::kDynamic, {{kPid, TextBlock(kHost)}}, 0});
  record.sets.push_back({Pmid::Of(2, 3, 0), archive::kInsitu, {{kPid, 4330U}}, 0});
  record.sets.push_back(
      {Pmid::Of(2, 3, 2), archive::kDynamic, {{kPid, TextBlock("/var/log/pcp/bench")}}, 0});
  record.sets.push_back(
      {Pmid::Of(2, 0, 23),
       archive::kDynamic,
       {{kInstanceNull,
         archive::BlockModel{static_cast<std::uint8_t>(MetricType::kU64), pid, std::nullopt}}},
       0});
  record.sets.push_back({Pmid::Of(2, 0, 24), archive::kInsitu, {{kInstanceNull, 1U}}, 0});
  return record;
}

void AddPrologue(ArchiveWriter* writer) {
  const auto desc = [&](Pmid pmid, MetricType type, Indom indom, const char* name) {
    writer->AddMeta(archive::DescModel{{pmid, type, indom, Semantics::kDiscrete, Units{}}, {name}});
  };
  archive::LabelSetModel labels;
  labels.json = std::string("{\"hostname\":\"") + kHost + "\"}";
  labels.entries = {{2, 8, 1, 12, static_cast<std::uint16_t>(std::string(kHost).size() + 2)}};
  writer->AddMeta(archive::LabelRecordModel{
      kStart, static_cast<std::uint32_t>(LabelClass::kContext), 0xffffffff, {labels}});
  desc(Pmid::Of(2, 3, 3), MetricType::kString, kLoggers, "pmcd.pmlogger.host");
  writer->AddMeta(archive::IndomModel{kStart, kLoggers, {{kPid, std::to_string(kPid)}}, false});
  desc(Pmid::Of(2, 3, 0), MetricType::kU32, kLoggers, "pmcd.pmlogger.port");
  desc(Pmid::Of(2, 3, 2), MetricType::kString, kLoggers, "pmcd.pmlogger.archive");
  desc(Pmid::Of(2, 0, 23), MetricType::kU64, Indom::Null(), "pmcd.pid");
  desc(Pmid::Of(2, 0, 24), MetricType::kU32, Indom::Null(), "pmcd.seqnum");
  writer->AddRecord(LoggerRecord(kStart));
}

// An archive between prologue and epilogue. `body` gives the time of its last record.
Made Write(const Request& request, ArchiveWriter::Index index,
           const std::function<Timestamp(ArchiveWriter*)>& body) {
  ArchiveWriter writer(request.base, Label(request.version), index);
  AddPrologue(&writer);
  const Timestamp last = body(&writer);
  writer.AddRecord(LoggerRecord(last + kMillisecond));
  writer.Finish();
  return {writer.error(), writer.records(), writer.marks(), writer.indom_records(),
          writer.index_entries()};
}

Timestamp TimeOf(std::uint64_t step, std::int64_t interval) {
  return kStart + static_cast<std::int64_t>(step + 1) * interval;
}

// Room for the epilogue.
bool Fits(const ArchiveWriter& writer, std::size_t record, const Request& request) {
  return writer.volume_size() + record + 400 <= request.bytes;
}

Made MakeHost(const Request& request) {
  return Write(request, ArchiveWriter::Index::kAsPmlogger, [&](ArchiveWriter* writer) {
    Host host(request.version);
    Timestamp time = kStart;
    for (std::uint64_t step = 0;; ++step) {
      const Timestamp next = TimeOf(step, 10 * kSecond);
      const Bytes record = host.Step(next, writer);
      // The first is written whatever its size: its metadata is already there.
      if (step > 0 && !Fits(*writer, record.size(), request)) return time;
      writer->AddRecord(next, record);
      time = next;
    }
  });
}

constexpr Pmid kTicks = Pmid::Of(60, 0, 1);
constexpr Pmid kQueue = Pmid::Of(60, 0, 2);
constexpr Indom kQueues = Indom::Of(60, 1);

ValueSetModel Ticks(std::uint64_t step) {
  return {kTicks, archive::kInsitu, {{kInstanceNull, static_cast<std::uint32_t>(step)}}, 0};
}

void DescribeTicks(ArchiveWriter* writer) {
  writer->AddMeta(archive::DescModel{
      {kTicks, MetricType::kU32, Indom::Null(), Semantics::kCounter, Units{0x00100000}},
      {"bench.ticks"}});
}

void DescribeQueue(ArchiveWriter* writer) {
  writer->AddMeta(archive::DescModel{
      {kQueue, MetricType::kU32, kQueues, Semantics::kInstant, Units{}}, {"bench.queue"}});
}

Made MakeSmall(const Request& request) {
  return Write(request, ArchiveWriter::Index::kAsPmlogger, [&](ArchiveWriter* writer) {
    DescribeTicks(writer);
    for (std::uint64_t step = 0;; ++step) {
      writer->AddRecord(ResultModel{TimeOf(step, kSecond), {Ticks(step)}});
      if (!Fits(*writer, 64, request)) return TimeOf(step, kSecond);
    }
  });
}

// A mark after each record but the last (ARC-511).
Made MakeMarks(const Request& request) {
  return Write(request, ArchiveWriter::Index::kAsPmlogger, [&](ArchiveWriter* writer) {
    DescribeTicks(writer);
    for (std::uint64_t step = 0; step < request.count; ++step) {
      writer->AddRecord(ResultModel{TimeOf(step, kSecond), {Ticks(step)}});
      writer->AddMark(TimeOf(step, kSecond) + kMillisecond);
    }
    writer->AddRecord(ResultModel{TimeOf(request.count, kSecond), {Ticks(request.count)}});
    return TimeOf(request.count, kSecond);
  });
}

Made MakeIndex(const Request& request) {
  return Write(request, ArchiveWriter::Index::kEachRecord, [&](ArchiveWriter* writer) {
    DescribeTicks(writer);
    // Prologue and epilogue have entries too.
    const std::uint64_t steps = request.count > 2 ? request.count - 2 : 1;
    for (std::uint64_t step = 0; step < steps; ++step) {
      writer->AddRecord(ResultModel{TimeOf(step, kSecond), {Ticks(step)}});
    }
    return TimeOf(steps - 1, kSecond);
  });
}

// With each record the lowest of ten instances goes and a new one comes.
Made MakeIndoms(const Request& request) {
  return Write(request, ArchiveWriter::Index::kAsPmlogger, [&](ArchiveWriter* writer) {
    constexpr std::int32_t kInstances = 10;
    const auto instance = [](std::int32_t id) {
      return archive::InstanceModel{id, "queue-" + std::to_string(id)};
    };
    DescribeQueue(writer);
    for (std::uint64_t step = 0; step <= request.count; ++step) {
      const Timestamp time = TimeOf(step, kSecond);
      const auto first = static_cast<std::int32_t>(step);
      archive::IndomModel indom{time, kQueues, {}, request.version == 3 && step > 0};
      ValueSetModel set{kQueue, archive::kInsitu, {}, 0};
      for (std::int32_t id = first; id < first + kInstances; ++id) {
        set.values.push_back({id, static_cast<std::uint32_t>(id)});
        if (!indom.delta) indom.instances.push_back(instance(id));
      }
      if (indom.delta) {
        indom.instances = {{first - 1, std::nullopt}, instance(first + kInstances - 1)};
      }
      writer->AddMeta(indom);
      writer->AddRecord(ResultModel{time, {std::move(set)}});
    }
    return TimeOf(request.count, kSecond);
  });
}

// Each record breaks one rule, in turn: an instance twice (ARC-1714), an instance the domain does
// not have (ARC-1805), a metric without descriptor (ARC-1801), foreign padding (ARC-1717). The
// instances and metrics differ from record to record, so that what is remembered of them can grow.
Made MakeFindings(const Request& request) {
  return Write(request, ArchiveWriter::Index::kAsPmlogger, [&](ArchiveWriter* writer) {
    DescribeTicks(writer);
    DescribeQueue(writer);
    constexpr Pmid kNote = Pmid::Of(60, 0, 3);
    writer->AddMeta(archive::DescModel{
        {kNote, MetricType::kString, Indom::Null(), Semantics::kDiscrete, Units{}},
        {"bench.note"}});
    writer->AddMeta(archive::IndomModel{TimeOf(0, kSecond), kQueues, {{0, "queue-0"}}, false});
    for (std::uint64_t step = 0; step < request.count; ++step) {
      const auto number = static_cast<std::uint32_t>(step);
      ValueSetModel wrong{kQueue, archive::kInsitu, {{0, 1U}}, 0};
      switch (step % 4) {
        case 0:
          wrong.values.push_back({0, 2U});
          break;
        case 1:
          wrong.values.push_back({static_cast<std::int32_t>(number), 2U});
          break;
        case 2:
          wrong = {Pmid::Of(61, number >> 10, number), archive::kInsitu, {{kInstanceNull, 1U}}, 0};
          break;
        default:
          archive::BlockModel block = TextBlock("a");
          block.padding = std::string(2, '\xee');
          wrong = {kNote, archive::kDynamic, {{kInstanceNull, block}}, 0};
      }
      writer->AddRecord(ResultModel{TimeOf(step, kSecond), {Ticks(step), std::move(wrong)}});
    }
    return TimeOf(request.count - 1, kSecond);
  });
}

constexpr Kind kKinds[] = {
    {"host", "a computer under pmlogger: some 2000 values a record, processes come and go", true,
     MakeHost},
    {"small", "records of one value", true, MakeSmall},
    {"marks", "COUNT mark records", false, MakeMarks},
    {"indoms", "COUNT changes of an instance domain", false, MakeIndoms},
    {"index", "COUNT index entries", false, MakeIndex},
    {"findings", "COUNT records that break a rule each", false, MakeFindings},
};

}  // namespace

std::span<const Kind> Kinds() { return kKinds; }

}  // namespace pmproof::bench
