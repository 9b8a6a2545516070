// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "validator/info/render_info.h"
#include "validator/text/display.h"
#include "validator/text/duration.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kNameColumn = 15;

// Shown of marks and gaps; JSON has more.
constexpr std::size_t kMostShown = 10;

// "2023-11-14T22:13:20Z (1700000000)": digits after the point only as far as they say something.
std::string TimeText(Timestamp time) {
  const auto shortened = [](std::string text, bool zone) {
    if (zone) text.pop_back();
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text + (zone ? "Z" : "");
  };
  if (!time.IsNormalised()) return ToEpochText(time) + " (not a valid time)";
  return shortened(ToIsoText(time), true) + " (" + shortened(ToEpochText(time), false) + ")";
}

// "2023-11-14T22:13:20.000Z": milliseconds are enough to find a place by.
std::string ShortTime(Timestamp time) {
  std::string text = ToIsoText(time);
  return text.erase(text.size() - 7) + "Z";
}

std::string Padded(const std::string& text, std::size_t width) {
  const std::size_t columns = Columns(text);
  return text + std::string(width - std::min(width, columns), ' ');
}

std::string PaddedLeft(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// "3 u32, 1 double", the most frequent first.
template <typename Map, typename Name>
std::string Counted(const Map& counts, Name&& name) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  for (const auto& [key, count] : counts) sorted.emplace_back(count, name(key));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [count, key] : sorted) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + key;
  }
  return text;
}

class InfoText {
 public:
  InfoText(const Screen& screen, std::ostream& out) : screen_(screen), out_(out) {}

  void Write(const ArchiveInfo& info) {
    out_ << Styled(screen_, Style::kBold, Displayable(info.archive)) << '\n';
    if (info.failure) {
      Line("", Styled(screen_, Style::kRed, Displayable(info.failure->ToText())));
      return;
    }
    if (info.label) WriteLabel(*info.label);
    WriteSpan(info);
    WriteCounts(info);
    WriteFiles(info);
    WriteMarks(info);
    WriteGaps(info);
    if (info.problems.empty()) return;
    Heading("Not all of it could be read; pmproof check tells what is wrong:");
    for (const Status& problem : info.problems) {
      out_ << "    " << Wrap(Displayable(problem.ToText()), screen_.width, 6) << '\n';
    }
  }

  void WriteError(const Status& error) {
    out_ << Styled(screen_, Style::kRed, Displayable(error.ToText())) << '\n';
  }

 private:
  void Line(const std::string& name, const std::string& text) {
    out_ << "  " << (name.empty() ? "" : Padded(name, kNameColumn))
         << Wrap(text, screen_.width, name.empty() ? 4 : kNameColumn + 2) << '\n';
  }
  void Heading(const std::string& text) { out_ << "  " << text << '\n'; }

  void WriteLabel(const archive::ArchiveLabel& label) {
    Line("host", Displayable(label.host) + ", logger process " + std::to_string(label.pid));
    std::string zone = label.timezone.empty() ? "none" : Displayable(label.timezone);
    if (!label.zoneinfo.empty()) zone += ", zoneinfo " + Displayable(label.zoneinfo);
    Line("time zone", zone);
    Line("version", std::to_string(label.version));
    Line("start", TimeText(label.start) + " in the label");
  }

  void WriteSpan(const ArchiveInfo& info) {
    const DataCounts& data = info.data;
    if (!data.first) {
      Line("records", "none");
      return;
    }
    Line("first record", TimeText(*data.first));
    Line("last record", TimeText(*data.last));
    std::string length = DurationText(NanosecondsBetween(*data.first, *data.last));
    if (info.median_interval > 0) {
      length += ", a record every " + DurationText(info.median_interval) + " (median)";
    }
    Line("length", length);
  }

  void WriteCounts(const ArchiveInfo& info) {
    const MetadataCounts& meta = info.metadata;
    const DataCounts& data = info.data;
    std::string records = Plural(data.records, "record") + " with " +
                          Plural(data.value_sets, "value set") + " and " +
                          Plural(data.values, "value") + ", " + Plural(data.marks, "mark") +
                          ", in " + Plural(info.volumes, "volume");
    if (data.undecoded > 0) records += "; " + std::to_string(data.undecoded) + " not decodable";
    Line("data", records);
    Line("metrics", std::to_string(meta.metrics) + " with " + Plural(meta.names, "name"));
    const auto name = [](const auto& key) { return ToText(key); };
    if (!meta.types.empty()) Line("  types", Counted(meta.types, name));
    if (!meta.semantics.empty()) Line("  semantics", Counted(meta.semantics, name));
    if (meta.descriptors > meta.metrics) {
      Line("  repeated", Plural(meta.descriptors - meta.metrics, "descriptor"));
    }
    std::string indoms = std::to_string(meta.indoms);
    if (meta.indoms > 0) {
      indoms += " in " + Plural(meta.full_records, "full record");
      if (meta.delta_records > 0) indoms += " and " + Plural(meta.delta_records, "delta record");
    }
    Line("indoms", indoms);
    Line("labels", meta.labels.empty() ? "none" : Counted(meta.labels, name));
    Line("help texts", meta.texts.empty() ? "none" : Counted(meta.texts, HelpTextName));
    Line("index",
         std::to_string(info.index_entries) + (info.index_entries == 1 ? " entry" : " entries"));
    if (meta.undecoded > 0) {
      Line("not decodable", Plural(meta.undecoded, "metadata record"));
    }
  }

  void WriteFiles(const ArchiveInfo& info) {
    std::size_t width = 4;
    for (const FileInfo& file : info.files) {
      width = std::max(width, Columns(Displayable(file.name)));
    }
    Heading("files:");
    for (const FileInfo& file : info.files) {
      std::string line =
          Padded(Displayable(file.name), width + 2) + PaddedLeft(ByteSize(file.stored), 12);
      if (file.compression != archive::Compression::kNone) {
        line += std::string(", ") + CompressionName(file.compression) + " of " +
                (file.uncompressed ? ByteSize(*file.uncompressed) : "unknown size");
      }
      out_ << "    " << line << '\n';
    }
  }

  void WriteMarks(const ArchiveInfo& info) {
    if (info.marks.empty()) return;
    const std::size_t shown = std::min(info.marks.size(), kMostShown);
    Heading(shown == info.data.marks ? "marks:"
                                     : "marks, the first " + std::to_string(shown) + " of " +
                                           std::to_string(info.data.marks) + ":");
    for (std::size_t i = 0; i < shown; ++i) {
      const MarkInfo& mark = info.marks[i];
      std::string line;
      if (mark.before && mark.after) {
        line = Interval(NanosecondsBetween(*mark.before, *mark.after), *mark.before, *mark.after) +
               ", mark after " + DurationText(NanosecondsBetween(*mark.before, mark.time));
      } else {
        line = "at " + ShortTime(mark.time) +
               (mark.before ? ", no record after it" : ", no record before it");
      }
      out_ << "    " << line << '\n';
    }
  }

  // Of marks and gaps, in columns.
  static std::string Interval(std::int64_t nanoseconds, Timestamp from, Timestamp to) {
    return PaddedLeft(DurationText(nanoseconds), 12) + "  from " + ShortTime(from) + " to " +
           ShortTime(to);
  }

  void WriteGaps(const ArchiveInfo& info) {
    if (info.gaps.empty()) return;
    std::vector<GapInfo> gaps = info.gaps;
    std::stable_sort(gaps.begin(), gaps.end(), [](const GapInfo& a, const GapInfo& b) {
      return a.nanoseconds > b.nanoseconds;
    });
    const bool all = gaps.size() <= kMostShown;
    if (!all) gaps.resize(kMostShown);
    Heading(std::string("gaps without a mark, more than 10 times the median interval") +
            (all ? ":" : ", the " + std::to_string(kMostShown) + " longest:"));
    for (const GapInfo& gap : gaps) {
      out_ << "    " << Interval(gap.nanoseconds, gap.from, gap.to) << '\n';
    }
  }

  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

void RenderInfoText(const InfoReport& report, const Screen& screen, std::ostream& out) {
  InfoText text(screen, out);
  bool first = true;
  for (const ArchiveInfo& info : report.archives) {
    if (!std::exchange(first, false)) out << '\n';
    text.Write(info);
  }
  for (const Status& error : report.errors) text.WriteError(error);
}

}  // namespace pmproof::validator
