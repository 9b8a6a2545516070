// SPDX-License-Identifier: Apache-2.0
#include "validator/check/draw_picture.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "reference/archive/data_record.h"
#include "reference/archive/record_reader.h"

namespace pmproof::validator {
namespace {

using archive::Part;

// A stretch of a file that is wanted.
struct Wanted {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Picture::Place* place = nullptr;
};

class Drawing {
 public:
  explicit Drawing(const std::vector<Finding>& findings) {
    std::map<std::pair<Part, std::uint64_t>, std::uint64_t> places;
    for (const Finding& finding : findings) {
      if (finding.part != archive::kWholeArchive) {
        places.emplace(std::pair(finding.part, finding.offset), finding.record);
      }
    }
    for (const auto& [place, record] : places) {
      const std::uint64_t offset = place.second;
      picture_.places.push_back(
          {.part = place.first,
           .offset = offset,
           .begin = offset - std::min<std::uint64_t>(offset % 16 + Picture::kBefore, offset)});
      records_.push_back(record);
    }
  }

  Picture Draw(const std::vector<DrawnFile>& files) {
    for (const DrawnFile& file : files) {
      DrawBytes(file);
      if (file.part >= 0 && file.version > 0) DrawRecords(file);
    }
    return std::move(picture_);
  }

 private:
  // Its size, and what is around findings.
  void DrawBytes(const DrawnFile& file) {
    const OpenVolume open = file.open();
    if (open.source == nullptr) return;
    std::vector<Wanted> wanted = WantedOf(file.part);
    archive::Source& source = *open.source;
    if (const auto all = source.mapped()) {
      for (const Wanted& one : wanted) Copy(*all, 0, one);
      return Add(file.name, all->size());
    }
    constexpr std::size_t kWindow = std::size_t{1} << 20;
    for (;;) {
      // A window that ends with an error still has the bytes before it.
      const Result<Bytes> window = source.Window(kWindow);
      if (!window || window->empty()) break;
      for (const Wanted& one : wanted) Copy(*window, source.position(), one);
      source.Skip(window->size());
    }
    Add(file.name, source.position());
  }

  void Add(const std::string& name, std::uint64_t bytes) {
    if (picture_.files.size() < Picture::kMostFiles) picture_.files.push_back({name, bytes});
  }

  std::vector<Wanted> WantedOf(Part part) {
    std::vector<Wanted> wanted;
    for (Picture::Place& place : picture_.places) {
      if (place.part == part) {
        wanted.push_back({place.begin, place.begin + Picture::kMostBytes, &place});
      }
    }
    return wanted;
  }

  // What a window that begins at `offset` has of it; windows come in their order.
  static void Copy(Bytes window, std::uint64_t offset, const Wanted& wanted) {
    const std::uint64_t begin = std::max(wanted.begin, offset);
    const std::uint64_t end = std::min<std::uint64_t>(wanted.end, offset + window.size());
    if (begin >= end) return;
    const Bytes part = window.subspan(begin - offset, end - begin);
    wanted.place->bytes.insert(wanted.place->bytes.end(), part.begin(), part.end());
  }

  void DrawRecords(const DrawnFile& file) {
    const OpenVolume open = file.open();
    if (open.source == nullptr) return;
    if (!SkipLabel(*open.source, file.label_end)) return;
    std::vector<std::pair<std::uint64_t, std::size_t>> in_records;  // record, place
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (picture_.places[i].part == file.part) in_records.emplace_back(records_[i], i);
    }
    std::ranges::sort(in_records);
    auto next = in_records.begin();
    Picture::Volume volume{.name = file.name};
    archive::IgnoringReporter ignoring;
    archive::RecordReader reader(*open.source, file.part, file.version, ignoring);
    for (std::uint64_t number = 1;; ++number) {
      const auto view = reader.Next();
      if (!view || !*view) break;
      ++volume.records;
      const auto record = archive::DecodeDataRecord(**view, file.version, ignoring);
      if (!record) continue;
      const Timestamp time = record->time.Normalised();
      if (!volume.first) volume.first = time;
      volume.last = time;
      while (next != in_records.end() && next->first < number) ++next;
      for (; next != in_records.end() && next->first == number; ++next) {
        picture_.places[next->second].time = time;
      }
      record->IsMark() ? OnMark(time) : OnData(time);
    }
    if (picture_.volumes.size() < Picture::kMostFiles) picture_.volumes.push_back(volume);
  }

  static bool SkipLabel(archive::Source& source, std::size_t size) {
    const Result<Bytes> window = source.Window(size);
    if (!window || window->size() < size) return false;
    source.Skip(size);
    return true;
  }

  void OnMark(Timestamp time) {
    if (picture_.marks.size() >= Picture::kMostMarks) {
      ++picture_.more_marks;
      return;
    }
    picture_.marks.push_back({.at = time, .before = before_, .after = std::nullopt});
    ++open_marks_;
  }

  void OnData(Timestamp time) {
    before_ = time;
    for (; open_marks_ > 0; --open_marks_) {
      picture_.marks[picture_.marks.size() - open_marks_].after = time;
    }
  }

  Picture picture_;
  std::vector<std::uint64_t> records_;  // of each place
  std::optional<Timestamp> before_;     // the last data record
  std::size_t open_marks_ = 0;          // the last marks, after which there was no data record yet
};

}  // namespace

Picture DrawPicture(const std::vector<DrawnFile>& files, const std::vector<Finding>& findings) {
  return Drawing(findings).Draw(files);
}

}  // namespace pmproof::validator
