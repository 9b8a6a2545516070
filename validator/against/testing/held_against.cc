// SPDX-License-Identifier: Apache-2.0
#include "validator/against/testing/held_against.h"

namespace pmproof::validator::against {
namespace {

// "+1.5"
std::string After(Timestamp time) {
  std::string text = "+" + std::to_string(time.seconds - generators::kBaseTime);
  if (time.nanoseconds == 0) return text;
  std::string digits = std::to_string(1'000'000'000 + time.nanoseconds).substr(1);
  while (digits.back() == '0') digits.pop_back();
  return text + "." + digits;
}

std::string Line(const Difference& difference) {
  std::string line = std::string(ToText(difference.change)) + " " + ToText(difference.kind);
  if (!difference.subject.empty()) line += " " + difference.subject;
  line += " " + std::to_string(difference.count);
  if (difference.of) line += " of " + std::to_string(*difference.of);
  if (difference.first) line += " at " + After(*difference.first);
  if (difference.last != difference.first) line += ".." + After(*difference.last);
  if (difference.examples.empty()) return line;
  const Example& example = difference.examples.front();
  if (!example.item.empty()) line += ": " + example.item;
  if (!example.was.empty() || !example.is.empty()) line += ": " + example.was + " -> " + example.is;
  return line;
}

}  // namespace

HeldAgainst::HeldAgainst() : catalogue_(Catalogue::Shipped()) {
  request.check.now = {generators::kBaseTime + 1'000'000, 0};
}

AgainstReport HeldAgainst::Run(const std::vector<std::string>& originals,
                               const std::vector<std::string>& archives) {
  request.originals = originals;
  request.archives = archives;
  return CompareAgainst(storage, request, catalogue_, nullptr);
}

AgainstReport HeldAgainst::Run(const generators::ArchivePlan& original,
                               const generators::ArchivePlan& replacement) {
  return Run(std::vector{original}, std::vector{replacement});
}

AgainstReport HeldAgainst::Run(const std::vector<generators::ArchivePlan>& originals,
                               const std::vector<generators::ArchivePlan>& replacements) {
  std::vector<std::string> names[2];
  const auto store = [&](const std::vector<generators::ArchivePlan>& plans, const char* directory,
                         std::vector<std::string>* to) {
    for (const generators::ArchivePlan& plan : plans) {
      to->push_back(directory + std::to_string(to->size() + 1));
      generators::Encode(plan).Store(to->back(), &storage);
    }
  };
  storage.files.clear();
  store(originals, "original/a", &names[0]);
  store(replacements, "instead/a", &names[1]);
  return Run(names[0], names[1]);
}

std::vector<std::string> Lines(const AgainstReport& report) {
  std::vector<std::string> lines{ToText(report.outcome())};
  if (!report.comparison) return lines;
  for (const Difference& difference : report.comparison->differences) {
    lines.push_back(Line(difference));
  }
  return lines;
}

}  // namespace pmproof::validator::against
