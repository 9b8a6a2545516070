// SPDX-License-Identifier: Apache-2.0
#include "validator/doctor/surroundings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "reference/pmda/transport/agent_process.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPrinted = 65536;
constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";

std::string Variable(const char* name) {
  const char* const value = getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> FoldersOf(const std::string& path) {
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    // An empty one is the folder in which the program runs: what lies there is not installed.
    if (end > begin) folders.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

}  // namespace

Surroundings Surroundings::OfThisProcess() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const std::string path = Variable("PATH");
  return {.path = FoldersOf(path.empty() ? kUsualPath : path),
          .home = Variable("HOME"),
          .peers = Variable("PMPROOF_PEERS"),
          .program = error ? "" : program.string(),
          .zones = "/usr/share/zoneinfo"};
}

std::string Surroundings::Find(const std::string& name) const {
  for (const std::string& folder : path) {
    const fs::path file = fs::path(folder) / name;
    std::error_code error;
    if (fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) return file.string();
  }
  return "";
}

std::optional<Printed> RunBriefly(const Surroundings& surroundings,
                                  const std::vector<std::string>& words) {
  std::string path;
  for (const std::string& folder : surroundings.path) path += (path.empty() ? "" : ":") + folder;
  pmda::AgentCommand command{.words = words};
  command.environment = {"PATH=" + path, "HOME=" + surroundings.home, "LC_ALL=C"};
  const auto deadline = pmda::Deadline::After(surroundings.patience);
  auto process = pmda::AgentProcess::Start(command, deadline);
  if (!process) return std::nullopt;
  Printed printed;
  std::array<std::uint8_t, 4096> buffer{};
  while (printed.output.size() < kMostPrinted) {
    const auto read = process->transport()->Read(buffer, deadline);
    if (!read.moved()) break;
    printed.output.append(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(read.size));
  }
  const auto exit = process->WaitForExit(deadline);
  (void)process->End({.by_itself = std::chrono::milliseconds(0)});
  if (!exit || !exit->success()) return std::nullopt;
  printed.error = process->log().text;
  return printed;
}

}  // namespace pmproof::validator
