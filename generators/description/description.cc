// SPDX-License-Identifier: Apache-2.0
#include "generators/description/description.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "generators/description/node.h"
#include "generators/description/read_damage.h"
#include "generators/description/read_metrics.h"
#include "generators/description/read_time.h"
#include "generators/description/read_values.h"
#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

constexpr std::string_view kSchema = "pmproof-archive/1";
constexpr std::int64_t kMostVolume = 99'999;

// One archive, as the members of its object are read; those of a set begin as a copy of what all of
// them have in common.
class ArchiveReader {
 public:
  ArchiveReader() {
    label_.version = 3;
    label_.pid = 1;
    label_.host = "localhost";
    label_.timezone = "UTC";
  }

  // All but the records.
  void ReadCommon(const Node& node) {
    if (const auto version = node.Find("version"))
      label_.version = scale_.version = static_cast<int>(version->Integer(2, 3));
    if (const auto epoch = node.Find("epoch")) scale_.epoch = ReadTime(*epoch, {{}, 3});
    if (const auto start = node.Find("start")) start_ = *start;
    if (const auto pid = node.Find("pid"))
      label_.pid = static_cast<std::int32_t>(pid->Integer(0, 0x7fffffff));
    const archive::Layout& layout = archive::LayoutOf(label_.version);
    ReadField(node, "host", layout.host_size, &label_.host);
    ReadField(node, "timezone", layout.timezone_size, &label_.timezone);
    ReadField(node, "zoneinfo", layout.zoneinfo_size, &label_.zoneinfo);
    if (const auto metrics = node.Find("metrics")) {
      metrics_ = ReadMetrics(*metrics);
      descriptors_.clear();
      for (const archive::DescModel& metric : metrics_)
        descriptors_.emplace(metric.names.front(), metric.descriptor);
    }
    if (const auto indoms = node.Find("indoms")) indoms_ = *indoms;
  }

  DescribedArchive Read(const Node& node) {
    DescribedArchive archive;
    ArchivePlan& plan = archive.plan;
    label_.start = start_ ? ReadTime(*start_, scale_) : scale_.epoch;
    plan.label = label_;
    for (archive::DescModel& metric : metrics_) plan.meta.emplace_back(metric);
    if (indoms_) {
      for (archive::IndomModel& domain : ReadDomains(*indoms_, scale_)) {
        latest_.push_back(latest_.empty() ? domain.time : std::max(latest_.back(), domain.time));
        plan.meta.emplace_back(std::move(domain));
      }
    }
    if (const auto records = node.Find("records")) {
      for (const Node& record : records->Elements()) {
        if (record.failed()) break;
        ReadRecord(record, &plan);
      }
    }
    plan.volumes[volume_];  // an archive without records has a volume nevertheless (ARC-1002)
    ReadIndex(node, &plan);
    if (const auto damage = node.Find("damage"))
      archive.damages = ReadDamage(*damage, Encode(plan));
    if (const auto missing = node.Find("missing_volumes")) {
      for (const Node& number : missing->Elements())
        archive.missing_volumes.insert(static_cast<std::int32_t>(number.Integer(0, kMostVolume)));
    }
    return archive;
  }

 private:
  struct RecordPlace {
    Timestamp time;
    std::int32_t volume;
    std::size_t ordinal;
  };

  static void ReadField(const Node& node, const char* name, std::size_t size, std::string* to) {
    const auto field = node.Find(name);
    if (!field) return;
    *to = field->Text();
    if (size == 0) return field->Fail("version 2 has no such field (ARC-100)");
    if (to->size() >= size)
      field->Fail("is longer than " + std::to_string(size - 1) + " bytes (ARC-102)");
  }

  void ReadRecord(const Node& node, ArchivePlan* plan) {
    archive::ResultModel result;
    const bool mark = node.Find("mark").has_value();
    if (mark) {
      node.Expect({"mark"}, {"volume"});
    } else {
      node.Expect({"time", "values"}, {"volume"});
    }
    if (node.failed()) return;
    result.time = ReadTime(node.At(mark ? "mark" : "time"), scale_);
    if (!mark) {
      const Node values = node.At("values");
      if (values.json().is_array()) {
        for (const Node& some : values.Elements()) ReadSets(some, &result);
      } else {
        ReadSets(values, &result);
      }
      if (result.sets.empty()) node.Fail("a record without values is a \"mark\" (ARC-151)");
    }
    if (const auto volume = node.Find("volume"))
      volume_ = static_cast<std::int32_t>(volume->Integer(volume_, kMostVolume));
    std::vector<archive::ResultModel>& records = plan->volumes[volume_];
    places_.push_back({result.time, volume_, records.size()});
    records.push_back(std::move(result));
  }

  void ReadSets(const Node& node, archive::ResultModel* result) {
    for (const auto& [name, values] : node.Members()) {
      const auto metric = descriptors_.find(name);
      if (metric == descriptors_.end()) return values.Fail("no metric of that name is described");
      result->sets.push_back(ReadValues(values, metric->second));
    }
  }

  // "none": there is no such file; "all": an entry for each record; or the records, counted from 0.
  void ReadIndex(const Node& node, ArchivePlan* plan) {
    plan->has_index = false;
    const auto index = node.Find("index");
    if (!index || index->json() == "none") return;
    plan->has_index = true;
    if (index->json() == "all") {
      for (const RecordPlace& place : places_) AddEntry(place, plan);
    } else if (index->json().is_array()) {
      for (const Node& number : index->Elements()) {
        if (places_.empty()) return number.Fail("there are no records");
        const auto most = static_cast<std::int64_t>(places_.size()) - 1;
        AddEntry(places_[static_cast<std::size_t>(number.Integer(0, most))], plan);
      }
    } else {
      index->Fail("is neither \"none\" nor \"all\" nor a list of records");
    }
  }

  // Points after the metadata that were there when the record was written.
  void AddEntry(const RecordPlace& place, ArchivePlan* plan) const {
    const auto first_later = std::upper_bound(latest_.begin(), latest_.end(), place.time);
    plan->index.push_back(
        {place.time, place.volume,
         metrics_.size() + static_cast<std::size_t>(first_later - latest_.begin()), place.ordinal});
  }

  archive::LabelModel label_;
  TimeScale scale_;
  std::optional<Node> start_;
  std::vector<archive::DescModel> metrics_;
  std::map<std::string, Descriptor, std::less<>> descriptors_;
  std::optional<Node> indoms_;
  std::int32_t volume_ = 0;
  std::vector<RecordPlace> places_;
  std::vector<Timestamp> latest_;  // of the domains up to each
};

std::vector<DescribedArchive> ReadArchives(const Node& root) {
  std::vector<DescribedArchive> archives;
  const auto set = root.Find("archives");
  ArchiveReader reader;
  if (set) {
    root.Expect({"schema", "archives"}, {"version", "epoch", "start", "host", "timezone",
                                         "zoneinfo", "pid", "metrics", "indoms"});
  } else {
    root.Expect({"schema", "metrics", "records"},
                {"version", "epoch", "start", "host", "timezone", "zoneinfo", "pid", "indoms",
                 "index", "damage", "missing_volumes"});
  }
  if (root.failed()) return archives;
  if (root.At("schema").Text() != kSchema)
    root.At("schema").Fail("is not \"" + std::string(kSchema) + "\"");
  reader.ReadCommon(root);
  if (!set) {
    archives.push_back(reader.Read(root));
    return archives;
  }
  const std::vector<Node> members = set->Elements();
  if (members.empty() || members.size() > kMostArchives)
    set->Fail("is not a list of 1 to " + std::to_string(kMostArchives) + " archives");
  for (const Node& member : members) {
    member.Expect({"records"}, {"version", "epoch", "start", "host", "timezone", "zoneinfo", "pid",
                                "metrics", "indoms", "index", "damage", "missing_volumes"});
    if (member.failed()) break;
    ArchiveReader own = reader;
    own.ReadCommon(member);
    archives.push_back(own.Read(member));
  }
  return archives;
}

}  // namespace

ArchiveImage DescribedArchive::Image() const {
  ArchiveImage image = Encode(plan);
  for (const DescribedDamage& damage : damages) {
    std::vector<std::uint8_t>& bytes = image.files.at(damage.file);
    if (damage.cut > 0) {
      bytes.resize(bytes.size() - std::min(damage.cut, bytes.size()));
    } else if (damage.offset + 4 <= bytes.size()) {  // not cut off before
      image.SetWord(damage.file, damage.offset, damage.word);
    }
  }
  for (const std::int32_t volume : missing_volumes) image.files.erase(std::to_string(volume));
  return image;
}

Result<std::vector<DescribedArchive>> ReadDescription(std::string_view text) {
  const Result<Json> document = ParseDocument(text);
  if (!document) return tl::unexpected(document.error());
  std::string problem;
  std::vector<DescribedArchive> archives = ReadArchives(Node(*document, &problem));
  if (problem.empty()) return archives;
  return tl::unexpected(Status{.kind = Status::Kind::kUsage, .message = std::move(problem)});
}

}  // namespace pmproof::generators
