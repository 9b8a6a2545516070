// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdio>
#include <ctime>

#include "reference/core/printable.h"
#include "reference/pmda/names/text_file.h"
#include "reference/pmda/reference_agents/simple.h"

namespace pmproof::pmda {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

SimpleWorld::TimeOfDay LocalTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  return {static_cast<std::uint32_t>(parts.tm_sec), static_cast<std::uint32_t>(parts.tm_min),
          static_cast<std::uint32_t>(parts.tm_hour)};
}

SimpleWorld::CpuTime ProcessTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {Seconds(usage.ru_utime), Seconds(usage.ru_stime)};
}

std::optional<std::int64_t> ChangeTime(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

}  // namespace

SimpleWorld SimpleWorld::Real(std::string path) {
  SimpleWorld world;
  world.time_of_day = LocalTime;
  world.cpu_time = ProcessTime;
  world.configuration_time = [path] { return ChangeTime(path); };
  world.configuration = [path] { return ReadTextFile(path).value_or(""); };
  world.log = [](std::string_view line) {
    std::fprintf(stderr, "%s\n", Printable(line, std::string::npos).c_str());
  };
  return world;
}

}  // namespace pmproof::pmda
