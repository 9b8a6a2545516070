// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/salvage/salvaged.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "reference/archive/data_record.h"
#include "reference/archive/file_set.h"
#include "reference/archive/layout.h"
#include "reference/archive/output_storage.h"
#include "reference/core/identifiers.h"
#include "validator/salvage/render_salvage.h"

namespace pmproof::validator::testing {
namespace {

using archive::Buffer;
using generators::FilesByName;

CheckOptions Options() {
  CheckOptions options;
  options.now = {1800000000, 0};
  return options;
}

// A data record by its bytes: found by framing alone, and understood.
struct Record {
  std::string bytes;
  Timestamp time;
  bool mark = false;
  std::vector<std::pair<Pmid, std::string>> sets;
};

std::string SetText(const archive::ValueSet& set) {
  std::string text = std::to_string(set.numval());
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    text += " " + std::to_string(set.Instance(i)) + "=";
    if (set.format() == archive::kInsitu) {
      text += std::to_string(set.Word(i));
    } else {
      const archive::ValueBlock block = set.Block(i);
      text +=
          std::to_string(static_cast<int>(block.type)) + ":" + std::string(AsText(block.payload));
    }
  }
  return text;
}

std::optional<Record> Understood(Bytes bytes, int version) {
  archive::IgnoringReporter ignore;
  const auto decoded = archive::DecodeDataRecord({bytes, 0, 0, 0}, version, ignore);
  if (!decoded) return std::nullopt;
  Record record{std::string(AsText(bytes)), decoded->time, decoded->IsMark(), {}};
  decoded->ForEachSet(
      [&](const archive::ValueSet& set) { record.sets.emplace_back(set.pmid(), SetText(set)); });
  return record;
}

bool IsVolume(const std::string& name) {
  const auto parsed = archive::ParseFileName(name);
  return parsed && parsed->part >= 0;
}

// All that is framed in the volumes, up to where framing ends in each.
std::vector<Record> RecordsOf(const FilesByName& files, int version) {
  std::map<archive::Part, const Buffer*> volumes;
  for (const auto& [name, content] : files) {
    if (IsVolume(name)) volumes[archive::ParseFileName(name)->part] = &content;
  }
  std::vector<Record> records;
  for (const auto& [part, content] : volumes) {
    std::size_t at = archive::LayoutOf(version).label;
    while (content->size() >= at + 8) {
      const std::size_t length = LoadU32(content->data() + at);
      if (length < 8 || length > content->size() - at) break;
      if (auto record = Understood(Bytes(*content).subspan(at, length), version)) {
        records.push_back(*std::move(record));
      }
      at += length;
    }
  }
  return records;
}

bool StandsIn(const FilesByName& files, const std::string& bytes) {
  return std::ranges::any_of(files, [&](const auto& file) {
    return IsVolume(file.first) && AsText(file.second).find(bytes) != std::string_view::npos;
  });
}

bool Within(const Loss& loss, Timestamp time) {
  return (!loss.from || *loss.from <= time) && (!loss.until || time <= *loss.until);
}

// The record stands in the stretch.
bool Covers(const Loss& loss, const FilesByName& files, const Record& record) {
  const auto file = files.find(loss.file);
  if (file == files.end() || loss.offset > file->second.size()) return false;
  const std::string_view content = AsText(file->second);
  return content.substr(loss.offset, loss.length).find(record.bytes) != std::string_view::npos;
}

bool IsWholeRecordLost(const SalvageReport& report, const FilesByName& files,
                       const Record& record) {
  return std::ranges::any_of(report.losses, [&](const Loss& loss) {
    switch (loss.kind) {
      case Loss::Kind::kRecords:
        return !record.mark && Within(loss, record.time);
      case Loss::Kind::kMarks:
        return record.mark && Within(loss, record.time);
      case Loss::Kind::kBytes:
        return loss.part >= 0 && (Within(loss, record.time) || Covers(loss, files, record));
      case Loss::Kind::kFile:
        return Within(loss, record.time);
      case Loss::Kind::kValues:
      case Loss::Kind::kMetadata:
      case Loss::Kind::kLabel:
        return false;
    }
    return false;
  });
}

bool IsSetLost(const SalvageReport& report, Pmid pmid, Timestamp time) {
  return std::ranges::any_of(report.losses, [&](const Loss& loss) {
    return loss.kind == Loss::Kind::kValues && Within(loss, time) &&
           loss.subject.find(ToText(pmid)) != std::string::npos;
  });
}

// True if `part` is `whole` without some of its sets.
bool IsReduced(const Record& part, const Record& whole) {
  if (part.time != whole.time || part.mark != whole.mark) return false;
  auto next = part.sets.begin();
  for (const auto& set : whole.sets) {
    if (next != part.sets.end() && *next == set) ++next;
  }
  return next == part.sets.end();
}

std::string Shown(const Record& record) {
  return (record.mark ? "mark at " : "record at ") + ToEpochText(record.time) + " with " +
         std::to_string(record.sets.size()) + " sets";
}

std::string WrongWritten(const std::vector<Record>& before, const FilesByName& files,
                         const Salvaged& salvaged, const std::vector<Record>& written) {
  const std::vector<Record> damaged = RecordsOf(files, salvaged.report().version);
  std::uint64_t new_marks = 0;
  for (const Record& record : written) {
    if (StandsIn(files, record.bytes)) continue;
    if (record.mark) {
      ++new_marks;
      continue;
    }
    const auto reduced = [&](const Record& whole) { return IsReduced(record, whole); };
    if (std::ranges::none_of(before, reduced) && std::ranges::none_of(damaged, reduced)) {
      return Shown(record) + " was written and stood nowhere";
    }
  }
  if (new_marks > salvaged.report().marks_written) {
    return std::to_string(new_marks) + " marks were written; the report knows of " +
           std::to_string(salvaged.report().marks_written);
  }
  return "";
}

}  // namespace

FilesByName FilesOf(const generators::ArchivePlan& plan) {
  FilesByName files;
  for (auto& [suffix, content] : Encode(plan).files) files["base." + suffix] = content;
  return files;
}

FilesByName Salvaged::out() const {
  FilesByName files;
  const std::string prefix = "out/saved.";
  for (const auto& [path, content] : storage.files) {
    if (path.starts_with(prefix)) files["base." + path.substr(prefix.size())] = content;
  }
  return files;
}

Salvaged SalvageFiles(const FilesByName& files, archive::MemoryBudget memory) {
  Salvaged salvaged;
  for (const auto& [name, content] : files) salvaged.storage.files["in/" + name] = content;
  salvaged.storage.files["out/README"] = {};
  archive::MemoryOutput output(salvaged.storage);
  SalvageOptions options;
  options.check = Options();
  options.check.memory = memory;
  // What is open is a view: a file that is written must not move the others, and a map moves none.
  salvaged.outcome =
      Salvage(salvaged.storage, "in/base", output, "out/saved", Catalogue::Shipped(), options);
  return salvaged;
}

std::string WrongInAnyCase(const FilesByName& files, const Salvaged& salvaged) {
  std::size_t in = 0;
  for (const auto& [path, content] : salvaged.storage.files) {
    if (path.starts_with("in/")) {
      ++in;
      const auto known = files.find(path.substr(3));
      if (known == files.end() || known->second != content) return path + " was changed";
    } else if (path != "out/README" && !path.starts_with("out/saved.")) {
      return path + " was left";
    }
  }
  if (in != files.size()) return "a file of the input is gone";
  if (salvaged.outcome.failure) return "failed: " + salvaged.outcome.failure->status.ToText();
  if (!salvaged.saved()) {
    return salvaged.out().empty() ? "" : "nothing was saved, and there are files";
  }
  if (!salvaged.out().contains("base.index")) return "there is no index";
  const ArchiveReport check =
      CheckArchive(salvaged.storage, "out/saved", Catalogue::Shipped(), Options());
  if (check.conformant) return "";
  std::string found;
  for (const Finding& finding : check.findings) {
    if (finding.severity >= Severity::kError) found += finding.rule.ToString() + " ";
  }
  return "not conformant: " + found;
}

std::string WrongRecords(const FilesByName& original, const FilesByName& files,
                         const Salvaged& salvaged, bool all) {
  if (!salvaged.saved()) return "";
  const SalvageReport& report = salvaged.report();
  const std::vector<Record> before = RecordsOf(original, report.version);
  const std::vector<Record> written = RecordsOf(salvaged.out(), report.version);
  if (std::string wrong = WrongWritten(before, files, salvaged, written); !wrong.empty()) {
    return wrong;
  }
  // Each record that was written is that of one of the original.
  std::vector<bool> taken(written.size());
  for (const Record& record : before) {
    if (!all && !StandsIn(files, record.bytes)) continue;
    std::size_t i = 0;
    while (i < written.size() && (taken[i] || written[i].bytes != record.bytes)) ++i;
    if (i == written.size()) {
      i = 0;
      while (i < written.size() &&
             (taken[i] || written[i].sets.empty() || !IsReduced(written[i], record))) {
        ++i;
      }
    }
    if (i == written.size()) {
      const bool told = IsWholeRecordLost(report, files, record) ||
                        (!record.mark && std::ranges::all_of(record.sets, [&](const auto& set) {
                          return IsSetLost(report, set.first, record.time);
                        }));
      if (!told) return Shown(record) + " is lost, and the report does not say so";
      continue;
    }
    taken[i] = true;
    for (const auto& set : record.sets) {
      if (std::ranges::count(written[i].sets, set) == 0 &&
          !IsSetLost(report, set.first, record.time)) {
        return "values of " + ToText(set.first) + " in the " + Shown(record) +
               " are lost, and the report does not say so";
      }
    }
  }
  return "";
}

std::string LossesOf(const Salvaged& salvaged) {
  std::ostringstream out;
  RenderSalvageText(salvaged.report(), Screen(), out);
  return out.str();
}

}  // namespace pmproof::validator::testing
