// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/agent_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <iterator>
#include <utility>
#include <vector>

namespace pmproof::validator::agent {
namespace {

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kLongestLine = 400;                  // bytes
constexpr std::size_t kMostRead = std::size_t{64} * 1024;  // bytes of a log
constexpr std::string_view kBlanks = " \t\r\n";

// The path that the command says to log to; empty: it says none.
std::string LogOf(const std::vector<std::string>& words) {
  constexpr std::string_view kOptions[] = {"-l", "--log", "--logfile"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    for (const std::string_view option : kOptions) {
      if (word == option && i + 1 < words.size()) return words[i + 1];
      const std::string start = std::string(option) + (option.size() > 2 ? "=" : "");
      if (word.size() > start.size() && word.starts_with(start) && word != option) {
        const bool short_one = option.size() == 2;
        if (short_one && word.starts_with("--")) continue;
        return word.substr(start.size());
      }
    }
  }
  return "";
}

// The last word of the text that is a path NAME.log; empty: none is.
std::string LogNamedIn(std::string_view text) {
  constexpr std::string_view kQuotes = "\"'`()[]<>,;:.";
  std::string found;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    while (!word.empty() && kQuotes.find(word.back()) != std::string_view::npos) {
      word.remove_suffix(1);
    }
    const std::size_t first = word.find_first_not_of("\"'`([<");
    if (first != std::string_view::npos) word.remove_prefix(first);
    if (word.size() > 4 && word.size() < PATH_MAX && word.ends_with(".log")) found = word;
  }
  return found;
}

std::string Below(const std::string& folder, const std::string& path) {
  return path.empty() || folder.empty() || path.front() == '/' ? path : folder + "/" + path;
}

}  // namespace

AgentOutput OutputOf(std::string_view text, bool cut) {
  AgentOutput output{.cut = cut};
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  while (!text.empty() && output.lines.size() < kMostLines) {
    const std::size_t newline = text.rfind('\n');
    const std::string_view line =
        newline == std::string_view::npos ? text : text.substr(newline + 1);
    output.lines.emplace_back(line.substr(0, kLongestLine));
    if (line.size() > kLongestLine) output.lines.back() += " ... (cut)";
    text = newline == std::string_view::npos ? std::string_view() : text.substr(0, newline);
  }
  output.cut |= !text.empty();
  std::reverse(output.lines.begin(), output.lines.end());
  return output;
}

void AgentLogFile::Open(const std::string& path, std::string name) {
  pmda::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts = {};
  if (!file.open() || fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  file_ = std::move(file);
  name_ = std::move(name);
}

void AgentLogFile::FindBy(pid_t process) {
  const std::string link = "/proc/" + std::to_string(process) + "/fd/2";
  char target[PATH_MAX];
  const ssize_t size = readlink(link.c_str(), target, sizeof target);
  // Pipes, terminals and the like have no path, or are no files.
  if (size <= 0 || target[0] != '/') return;
  Open(link, std::string(target, static_cast<std::size_t>(size)));
}

void AgentLogFile::FindBy(const pmda::AgentCommand& command, std::string_view standard_error,
                          std::time_t since) {
  for (const std::string& path : {LogOf(command.words), LogNamedIn(standard_error)}) {
    if (found() || path.empty()) continue;
    Open(Below(command.directory, path), path);
    struct stat facts = {};
    if (found() && (fstat(file_.get(), &facts) != 0 || facts.st_mtime < since)) file_.Reset();
  }
}

std::optional<AgentOutput> AgentLogFile::Read() const {
  struct stat facts = {};
  if (!found() || fstat(file_.get(), &facts) != 0 || facts.st_size <= 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(facts.st_size);
  const std::size_t from = size > kMostRead ? size - kMostRead : 0;
  std::string text(size - from, '\0');
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t count =
        pread(file_.get(), text.data() + got, text.size() - got, static_cast<off_t>(from + got));
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  text.resize(got);
  AgentOutput output = OutputOf(text, from > 0);
  if (output.lines.empty()) return std::nullopt;
  output.from = name_;
  return output;
}

}  // namespace pmproof::validator::agent
