// SPDX-License-Identifier: Apache-2.0
#include "reference/core/error_code.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace pmproof {
namespace {

struct Entry {
  int number;
  std::string_view name;
};

// The table of ARC-019 and section 11 of the metadata chapter, by n of -(12345 + n).
constexpr std::array kCodes = {
    Entry{0, "GENERIC"},
    Entry{1, "PMNS"},
    Entry{2, "NOPMNS"},
    Entry{3, "DUPPMNS"},
    Entry{4, "TEXT"},
    Entry{5, "APPVERSION"},
    Entry{6, "VALUE"},
    Entry{8, "TIMEOUT"},
    Entry{9, "NODATA"},
    Entry{10, "RESET"},
    Entry{12, "NAME"},
    Entry{13, "PMID"},
    Entry{14, "INDOM"},
    Entry{15, "INST"},
    Entry{16, "UNIT"},
    Entry{17, "CONV"},
    Entry{18, "TRUNC"},
    Entry{19, "SIGN"},
    Entry{20, "PROFILE"},
    Entry{21, "IPC"},
    Entry{23, "EOF"},
    Entry{24, "NOTHOST"},
    Entry{25, "EOL"},
    Entry{27, "LABEL"},
    Entry{28, "LOGREC"},
    Entry{30, "LOGFILE"},
    Entry{31, "NOCONTEXT"},
    Entry{33, "PMID_LOG"},
    Entry{34, "INDOM_LOG"},
    Entry{35, "INST_LOG"},
    Entry{41, "NOAGENT"},
    Entry{42, "PERMISSION"},
    Entry{43, "CONNLIMIT"},
    Entry{44, "AGAIN"},
    Entry{45, "ISCONN"},
    Entry{46, "NOTCONN"},
    Entry{47, "NEEDPORT"},
    Entry{49, "NONLEAF"},
    Entry{52, "TYPE"},
    Entry{56, "LOGOVERLAP"},
    Entry{57, "LOGHOST"},
    Entry{59, "LOGCHANGETYPE"},
    Entry{60, "LOGCHANGESEM"},
    Entry{61, "LOGCHANGEINDOM"},
    Entry{62, "LOGCHANGEUNITS"},
    Entry{64, "BADDERIVE"},
    Entry{65, "NOLABELS"},
    Entry{66, "PMDAFENCED"},
    Entry{67, "RECTYPE"},
    Entry{68, "FEATURE"},
    Entry{70, "ARG"},
    Entry{99, "TOOBIG"},
    Entry{1048, "PMDAREADY"},
    Entry{1049, "PMDANOTREADY"},
};

// Those of section 6 of the chapter on agents that no archive has (MET-1102).
constexpr std::array kOtherCodes = {
    Entry{26, "MODE"},      Entry{29, "NOTARCHIVE"},     Entry{32, "PROFILESPEC"},
    Entry{36, "NOPROFILE"}, Entry{53, "THREAD"},         Entry{54, "NOCONTAINER"},
    Entry{55, "BADSTORE"},  Entry{63, "NEEDCLIENTCERT"}, Entry{69, "TLS"},
    Entry{97, "BOTCH"},     Entry{98, "TOOSMALL"},       Entry{100, "FAULT"},
    Entry{8999, "NYI"},
};

constexpr int kBase = 12345;
constexpr int kLargestErrno = 200;

const Entry* Find(std::span<const Entry> codes, ErrorCode code) {
  const std::int64_t number = -static_cast<std::int64_t>(code) - kBase;
  const auto found = std::ranges::find(codes, number, &Entry::number);
  return found == codes.end() ? nullptr : &*found;
}

}  // namespace

std::string ToText(ErrorCode code) {
  const Entry* entry = Find(kCodes, code);
  if (entry == nullptr) entry = Find(kOtherCodes, code);
  if (entry != nullptr) return "PM_ERR_" + std::string(entry->name);
  const auto number = static_cast<std::int64_t>(code);
  if (number < 0 && number >= -kLargestErrno) return "errno " + std::to_string(-number);
  return "code " + std::to_string(number);
}

bool IsKnown(ErrorCode code) {
  const int number = static_cast<int>(code);
  return (number < 0 && number >= -kLargestErrno) || Find(kCodes, code) != nullptr;
}

}  // namespace pmproof
