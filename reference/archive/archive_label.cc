// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_label.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reference/core/printable.h"
#include "reference/core/utf8.h"

namespace pmproof::archive {
namespace {

constexpr std::uint32_t kMagicMask = 0xffffff00;
constexpr std::size_t kMagicField = 4;
constexpr std::size_t kPidField = 8;
constexpr std::size_t kStartField = 12;
constexpr std::size_t kFeaturesField = 28;  // version 3
constexpr std::size_t kReservedField = 32;
constexpr std::size_t kLongestLabel = 4096;  // that wrong length words are believed about

constexpr std::int64_t kYear1990 = 631152000;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kEndOf32Bits = std::int64_t{1} << 31;

std::size_t VolumeField(const Layout& layout) { return kStartField + layout.timestamp; }

std::string Hex(std::uint32_t word) {
  std::string text = "0x00000000";
  for (std::size_t at = text.size(); word != 0; word >>= 4)
    text[--at] = "0123456789abcdef"[word & 15];
  return text;
}

bool IsPath(std::string_view host) {
  return host == "." || host == ".." || host.find('/') != std::string_view::npos;
}

// Control characters and slashes are matters of ARC-1224 and ARC-1227.
bool IsOfHosts(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_other = static_cast<unsigned char>(c) >= 0x7f || c < ' ';
  return is_letter || is_other || (c >= '0' && c <= '9') ||
         std::string_view("-._:%/").find(c) != std::string_view::npos;
}

// True if a character beyond ASCII reorders, hides or breaks text.
bool HasForeignLetters(std::string_view text) {
  while (true) {
    const ForeignCharacter foreign = FirstForeign(text);
    if (foreign.at == text.size()) return false;
    if (foreign.code_point > std::uint32_t{0x7f}) return true;
    text.remove_prefix(foreign.at + foreign.size);
  }
}

// Decodes and checks the fields of one whole label.
class LabelDecoder {
 public:
  LabelDecoder(Bytes record, const Layout& layout, Part part, Reporter& reporter)
      : record_(record), layout_(layout), part_(part), reporter_(reporter) {}

  ArchiveLabel Decode(Timestamp now, const ZoneChecker* zones) {
    const std::uint8_t* p = record_.data();
    ArchiveLabel label;
    label.version = layout_.version;
    label.pid = LoadI32(p + kPidField);
    label.start = LoadTimestamp(p + kStartField, layout_.version);
    label.fraction = LoadFraction(p + kStartField, layout_.version);
    label.part = LoadI32(p + VolumeField(layout_));
    if (label.pid <= 0) {
      Report("ARC-1221"_clause, kPidField, 4, "pid", std::to_string(label.pid), "> 0",
             "no process has this pid");
    }
    CheckStart(label, now);
    if (label.part != part_) {
      Report("ARC-1206"_clause, VolumeField(layout_), 4, "volume", std::to_string(label.part),
             std::to_string(part_), "the label belongs to another file of an archive");
    }
    if (layout_.version == 3) {
      label.features = LoadU32(p + kFeaturesField);
      label.reserved = LoadU32(p + kReservedField);
      CheckFeatures(label);
    }
    label.host = Text("hostname", layout_.host_field, layout_.host_size);
    label.timezone = Text("timezone", layout_.timezone_field, layout_.timezone_size);
    if (label.host.empty()) {
      Report("ARC-1217"_clause, layout_.host_field, layout_.host_size, "hostname", "",
             "a host name", "the label does not say which host the archive is of");
    } else {
      CheckHost(label.host);
    }
    CheckTimezone(label.timezone, zones);
    if (layout_.version == 3) {
      label.zoneinfo = Text("zoneinfo", layout_.zoneinfo_field, layout_.zoneinfo_size);
      CheckZoneinfo(label.zoneinfo, zones);
    }
    return label;
  }

 private:
  void Report(Clause rule, std::size_t offset, std::size_t length, const char* field,
              std::string actual, std::string expected, const char* message,
              Gravity gravity = Gravity::kAsCatalogued) {
    reporter_.Report(
        rule, {part_, offset, length, 0},
        [&] {
          return Details{field, std::move(actual), std::move(expected), message};
        },
        gravity);
  }

  void CheckHost(std::string_view host) {
    const auto report = [&](Clause rule, const char* message, Gravity gravity) {
      Report(rule, layout_.host_field, layout_.host_size, "hostname", std::string(host),
             "a host name", message, gravity);
    };
    if (IsPath(host)) report("ARC-1227"_clause, "the host name is a path", Gravity::kAsCatalogued);
    if (FirstInvalidUtf8(host) < host.size()) {
      report("ARC-1228"_clause, "the host name is not UTF-8", Gravity::kError);
    } else if (host.starts_with('-')) {
      report("ARC-1228"_clause, "the host name looks like an option", Gravity::kAsCatalogued);
    } else if (!std::all_of(host.begin(), host.end(), IsOfHosts) || HasForeignLetters(host)) {
      report("ARC-1228"_clause, "the host name has characters that no host name has",
             Gravity::kAsCatalogued);
    }
  }

  void CheckStart(const ArchiveLabel& label, Timestamp now) {
    if (!FractionInRange(label.fraction, layout_.version)) {
      Report("ARC-1219"_clause, kStartField + layout_.timestamp - 4, 4, "start",
             std::to_string(label.fraction), layout_.version == 3 ? "0..999999999" : "0..999999",
             "the fraction of the start time is out of range");
    }
    const std::int64_t start = label.start.seconds;
    if (start >= kEndOf32Bits) {
      Report("ARC-1226"_clause, kStartField, layout_.timestamp, "start", ToIsoText(label.start),
             "before 2038-01-19T03:14:08Z", "the archive begins where 32 bits of seconds end");
    } else if (start < kYear1990) {
      Report("ARC-1220"_clause, kStartField, layout_.timestamp, "start", ToIsoText(label.start),
             "1990 or later",
             start == 0 ? "the start time is not set" : "the archive begins before there was PCP");
    } else if (start - kDay > now.seconds) {
      Report("ARC-1220"_clause, kStartField, layout_.timestamp, "start", ToIsoText(label.start),
             "not after tomorrow, " + ToIsoText({now.seconds + kDay, 0}),
             "the archive begins in the future");
    }
  }

  void CheckFeatures(const ArchiveLabel& label) {
    constexpr std::uint32_t kQa = 0x80000000;
    if ((label.features & ~kQa) != 0) {
      Report("ARC-1212"_clause, kFeaturesField, 4, "features", Hex(label.features), "0x00000000",
             "feature bits are set that no version of PCP defines");
    }
    if ((label.features & kQa) != 0) {
      Report("ARC-1213"_clause, kFeaturesField, 4, "features", Hex(label.features), "0x00000000",
             "the feature bit reserved for quality assurance is set");
    }
    if (label.reserved != 0) {
      Report("ARC-1214"_clause, kReservedField, 4, "reserved", Hex(label.reserved), "0x00000000",
             "the reserved word is not 0");
    }
  }

  std::string Text(const char* name, std::size_t offset, std::size_t size) {
    const std::string_view field = AsText(record_.subspan(offset, size));
    const std::size_t nul = field.find('\0');
    if (nul == std::string_view::npos) {
      Report("ARC-1215"_clause, offset, size, name, "no NUL in " + std::to_string(size) + " bytes",
             "at most " + std::to_string(size - 1) + " bytes and a NUL",
             "readers drop the last byte of the text");
      return Printable(name, offset, field.substr(0, size - 1));
    }
    const std::size_t left_over = field.find_first_not_of('\0', nul);
    if (left_over != std::string_view::npos) {
      const std::size_t last = field.find_last_not_of('\0');
      Report("ARC-1216"_clause, offset + left_over, last + 1 - left_over, name,
             std::to_string(last + 1 - left_over) + " bytes", "NUL to the end of the field",
             "bytes are left over after the text");
    }
    return Printable(name, offset, field.substr(0, nul));
  }

  std::string Printable(const char* name, std::size_t offset, std::string_view text) {
    if (HasControls(text)) {
      Report("ARC-1224"_clause, offset, text.size(), name, std::string(text),
             "no control characters", "the text holds control characters");
    }
    return std::string(text);
  }

  static bool HasControls(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  }

  static bool IsKnownZone(std::string_view zone, const ZoneChecker* zones) {
    if (IsPosixTimeZone(zone)) return true;
    return IsTimeZoneName(zone) && (zones == nullptr || zones->Exists(zone));
  }

  static std::string_view WithoutColon(std::string_view zone) {
    return zone.substr(zone.starts_with(':') ? 1 : 0);
  }

  bool CheckNoPath(const char* name, std::size_t offset, std::string_view zone) {
    if (!IsTimeZonePath(WithoutColon(zone))) return true;
    Report("ARC-1229"_clause, offset, zone.size(), name, std::string(zone), "the name of a zone",
           "the time zone is a path");
    return false;
  }

  void CheckTimezone(const std::string& zone, const ZoneChecker* zones) {
    const std::size_t at = layout_.timezone_field;
    if (zone.empty()) {
      Report("ARC-1218"_clause, at, layout_.timezone_size, "timezone", "",
             "a time zone such as UTC",
             "the label has no time zone: replay uses that of the reader");
    } else if (HasControls(zone)) {
      return;  // reported
    } else if (zone[0] == ':') {
      CheckNoPath("timezone", at, zone);
      Report("ARC-1224"_clause, at, zone.size(), "timezone", zone,
             "a POSIX TZ string or a zone name",
             "the form with a colon belongs in the zoneinfo field");
    } else if (CheckNoPath("timezone", at, zone) && !IsKnownZone(zone, zones)) {
      Report("ARC-1223"_clause, at, zone.size(), "timezone", zone,
             "a POSIX TZ string or a known zone", "the time zone cannot be resolved");
    }
  }

  void CheckZoneinfo(std::string_view zone, const ZoneChecker* zones) {
    if (zone.empty() || HasControls(zone)) return;
    if (!CheckNoPath("zoneinfo", layout_.zoneinfo_field, zone)) return;
    if (!IsKnownZone(WithoutColon(zone), zones)) {
      Report("ARC-1223"_clause, layout_.zoneinfo_field, zone.size(), "zoneinfo", std::string(zone),
             "a colon and the name of a known zone", "the time zone cannot be resolved");
    }
  }

  Bytes record_;
  const Layout& layout_;
  Part part_;
  Reporter& reporter_;
};

// Reports a file that ends inside its label.
Status Incomplete(std::size_t size, std::size_t label_size, Part part, const std::string& file_name,
                  Reporter& reporter) {
  const bool only_trailer = size >= label_size - kLengthWord;
  const Clause rule = only_trailer ? "ARC-1202"_clause : "ARC-1201"_clause;
  const std::string message = only_trailer
                                  ? "the file ends inside the trailing length word of its label"
                                  : "the file is shorter than a label";
  reporter.Report(rule, {part, 0, size, 0}, [&] {
    return Details{only_trailer ? "trailing N" : "N", std::to_string(size) + " bytes",
                   std::to_string(label_size) + " bytes", message};
  });
  return {Status::Kind::kDamaged, file_name, 0, rule, message, ErrorCode::kLabel};
}

// The version of a file that begins with `head`; reports what is not a label at all.
Result<int> VersionOf(Bytes head, Part part, const std::string& file_name, Reporter& reporter) {
  if (head.size() < kLengthWord) {
    const char* message = head.empty() ? "the file is empty" : "the file has no length word";
    reporter.Report("ARC-1004"_clause, {part, 0, head.size(), 0}, [&] {
      return Details{"file", std::to_string(head.size()) + " bytes", "a label and what follows it",
                     message};
    });
    return tl::unexpected(Status{Status::Kind::kNotAnArchive, file_name, 0, "ARC-1004"_clause,
                                 message, ErrorCode::kNoData});
  }
  if (head.size() < kMinRecord) {
    Status status = Incomplete(head.size(), kLayoutV2.label, part, file_name, reporter);
    status.kind = Status::Kind::kNotAnArchive;
    return tl::unexpected(std::move(status));
  }
  const std::uint32_t magic = LoadU32(head.data() + kMagicField);
  const int version = static_cast<int>(magic & ~kMagicMask);
  const bool label = (magic & kMagicMask) == kLabelMagic;
  if (label && (version == 2 || version == 3)) return version;

  const Clause rule = label ? "ARC-1204"_clause : "ARC-1203"_clause;
  // ARC-018
  const char* retired = version == 1 ? "; the last release of PCP that reads it is 3.5.11" : "";
  const std::string message = label ? "version " + std::to_string(version) +
                                          " of the archive format is not supported" + retired
                                    : "no PCP archive: the magic number is " + Hex(magic);
  reporter.Report(rule, {part, kMagicField, 4, 0}, [&] {
    return Details{"magic", Hex(magic),
                   label ? "0x50052602 or 0x50052603" : "0x500526 in the upper 24 bits", message};
  });
  return tl::unexpected(Status{label ? Status::Kind::kDamaged : Status::Kind::kNotAnArchive,
                               file_name, kMagicField, rule, message, ErrorCode::kLabel});
}

// Checks both length words of a label and gives its size. `window` holds at least layout.label
// bytes.
std::size_t CheckLengths(Bytes window, const Layout& layout, Part part, Reporter& reporter) {
  const std::size_t leading = LoadU32(window.data());
  const std::size_t trailing = LoadU32(window.data() + layout.label - kLengthWord);
  const std::string expected = std::to_string(layout.label);
  const bool longer = leading > layout.label && leading <= window.size() &&
                      LoadU32(window.data() + leading - kLengthWord) == leading;
  if (leading != layout.label) {
    reporter.Report("ARC-1201"_clause, {part, 0, kLengthWord, 0}, [&] {
      return Details{"N", std::to_string(static_cast<std::int32_t>(leading)), expected,
                     "the leading length word of the label is wrong"};
    });
    if (longer && trailing != layout.label) return leading;
  }
  if (trailing != layout.label) {
    reporter.Report("ARC-1202"_clause, {part, layout.label - kLengthWord, kLengthWord, 0}, [&] {
      return Details{"trailing N", std::to_string(static_cast<std::int32_t>(trailing)), expected,
                     "the trailing length word of the label is wrong"};
    });
  }
  return layout.label;
}

}  // namespace

Result<ArchiveLabel> ReadLabel(Source& source, Part part, const std::string& file_name,
                               Timestamp now, Reporter& reporter, const ZoneChecker* zones) {
  Result<Bytes> window = source.Window(kMinRecord);
  if (!window) return tl::unexpected(window.error());
  const Result<int> version = VersionOf(*window, part, file_name, reporter);
  if (!version) return tl::unexpected(version.error());

  const Layout& layout = LayoutOf(*version);
  const std::size_t leading = LoadU32(window->data());
  window = source.Window(leading <= kLongestLabel ? std::max(leading, layout.label) : layout.label);
  if (!window) return tl::unexpected(window.error());
  if (window->size() < layout.label) {
    return tl::unexpected(Incomplete(window->size(), layout.label, part, file_name, reporter));
  }
  const std::size_t size =
      CheckLengths(window->first(std::min(window->size(), kLongestLabel)), layout, part, reporter);
  ArchiveLabel label = LabelDecoder(*window, layout, part, reporter).Decode(now, zones);
  source.Skip(size);
  return label;
}

void CompareLabels(const ArchiveLabel& first, const ArchiveLabel& other, Part part,
                   Reporter& reporter) {
  const Layout& layout = LayoutOf(other.version);
  const auto differs = [&](Clause rule, std::size_t offset, std::size_t size, const char* field,
                           std::string actual, std::string expected) {
    const Clause named = part >= 0 && rule != "ARC-1205"_clause ? "ARC-1225"_clause : rule;
    reporter.Report(named, {part, offset, size, 0}, [&] {
      return Details{field, std::move(actual), std::move(expected),
                     "the label differs from that of the first volume"};
    });
  };
  if (other.version != first.version) {
    differs("ARC-1205"_clause, kMagicField, 4, "magic", "version " + std::to_string(other.version),
            "version " + std::to_string(first.version));
  }
  if (other.pid != first.pid) {
    differs("ARC-1207"_clause, kPidField, 4, "pid", std::to_string(other.pid),
            std::to_string(first.pid));
  }
  if (other.host != first.host) {
    differs("ARC-1208"_clause, layout.host_field, layout.host_size, "hostname", other.host,
            first.host);
  }
  if (other.start != first.start) {
    differs("ARC-1209"_clause, kStartField, layout.timestamp, "start", ToEpochText(other.start),
            ToEpochText(first.start));
  }
  if (other.timezone != first.timezone) {
    differs("ARC-1210"_clause, layout.timezone_field, layout.timezone_size, "timezone",
            other.timezone, first.timezone);
  }
  if (other.version == 3 && first.version == 3 && other.zoneinfo != first.zoneinfo) {
    differs("ARC-1211"_clause, layout.zoneinfo_field, layout.zoneinfo_size, "zoneinfo",
            other.zoneinfo, first.zoneinfo);
  }
}

}  // namespace pmproof::archive
