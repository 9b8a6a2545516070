// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/output_options.h"

#include <algorithm>
#include <utility>

namespace pmproof::validator {
namespace {

struct Suffix {
  const char* suffix;
  const char* format;
};
constexpr Suffix kSuffixes[] = {{".json", "json"},        {".jsonl", "jsonl"}, {".html", "html"},
                                {".sarif", "sarif"},      {".xml", "junit"},   {".txt", "text"},
                                {".prom", "openmetrics"}, {".csv", "csv"}};

// ".json, .html": those of the formats of a command.
std::string SuffixesOf(const std::vector<std::string>& formats) {
  std::string text;
  for (const Suffix& known : kSuffixes) {
    if (std::ranges::count(formats, known.format) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(known.suffix);
  }
  return text;
}

// /dev/stdout may be a file, which is not to be replaced.
std::optional<std::string> PathOf(const std::string& text) {
  return text == "-" || text == "/dev/stdout" ? std::nullopt : std::optional(text);
}

}  // namespace

void OutputOptions::Declare(Options& options, std::string force_help) {
  const auto note = [this](bool is_format) {
    return [this, is_format](std::string_view text) {
      given_.push_back({is_format, std::string(text)});
      return std::string();
    };
  };
  options.Add({.names = {"--format"},
               .value_name = "FORMAT",
               .help = "Format on standard output",
               .choices = formats_,
               .default_value = formats_.front(),
               .repeats = true,
               .take = note(true)});
  options.Add({.names = {"--output"},
               .value_name = "[FORMAT:]FILE",
               .help = "Write a report to a file that does not exist yet, or - for standard "
                       "output; without FORMAT, that of the --format before it, else the one that "
                       "FILE ends in (" +
                       SuffixesOf(formats_) + "), else " + formats_.front(),
               .repeats = true,
               .take = note(false)});
  options.Flag("--force", std::move(force_help), &force_);
}

std::optional<OutputRequest> OutputOptions::AsPair(const std::string& text) const {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return std::nullopt;
  const std::string format = text.substr(0, colon);
  if (std::ranges::count(formats_, format) == 0) return std::nullopt;
  return OutputRequest{format, PathOf(text.substr(colon + 1))};
}

std::string OutputOptions::FormatOfName(const std::string& path) const {
  for (const Suffix& known : kSuffixes) {
    if (path.ends_with(known.suffix) && std::ranges::count(formats_, known.format) > 0)
      return known.format;
  }
  return "";
}

std::string OutputOptions::Refuse(const std::string& path) const {
  return "it is not clear which format --output " + path +
         " has: write --output FORMAT:FILE, such as " + formats_.back() + ":" + path;
}

// The n-th --output belonged to the n-th --format once, and reads as if it belonged to the one
// before it. It is taken where both say the same.
std::string OutputOptions::PairOldForm(const std::vector<Given>& given) {
  std::vector<std::string> formats;
  std::vector<std::string> files;
  for (const Given& one : given) (one.is_format ? formats : files).push_back(one.text);
  if (formats.empty() || (formats.size() == 1 && files.size() == 1)) {
    for (const std::string& file : files) {
      std::string format = formats.empty() ? FormatOfName(file) : formats.front();
      if (format.empty() && files.size() > 1) {
        return "more --output than --format: write --output FORMAT:FILE, such as " +
               formats_.back() + ":" + file;
      }
      requests_.push_back({format.empty() ? formats_.front() : format, PathOf(file)});
    }
    return "";
  }
  if (files.size() > formats.size()) {
    return "more --output than --format: write --output FORMAT:FILE, such as " + formats_.back() +
           ":" + files.back();
  }
  if (formats.size() > files.size() + 1) {
    return "only one --format can go to standard output: give the others as --output FORMAT:FILE";
  }
  std::size_t outputs = 0;
  std::size_t before = 0;  // --format so far
  for (const Given& one : given) {
    if (one.is_format) {
      ++before;
    } else if (++outputs != before) {
      return Refuse(one.text);
    }
  }
  for (std::size_t i = 0; i < formats.size(); ++i) {
    requests_.push_back({formats[i], i < files.size() ? PathOf(files[i]) : std::nullopt});
  }
  return "";
}

std::string OutputOptions::Wrong() {
  std::vector<Given> old;
  for (const Given& one : given_) {
    if (auto pair = one.is_format ? std::nullopt : AsPair(one.text)) {
      requests_.push_back(*std::move(pair));
    } else {
      old.push_back(one);
    }
  }
  if (std::string wrong = PairOldForm(old); !wrong.empty()) return wrong;
  if (requests_.empty()) requests_.push_back({formats_.front(), std::nullopt});
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (requests_[i].path != requests_[j].path) continue;
      return requests_[i].path ? "two --output name one file: " + *requests_[i].path
                               : "only one --format can go to standard output";
    }
  }
  return "";
}

}  // namespace pmproof::validator
