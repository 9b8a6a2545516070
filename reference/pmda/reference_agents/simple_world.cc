// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <memory>

#include "reference/core/printable.h"
#include "reference/pmda/names/text_file.h"
#include "reference/pmda/reference_agents/simple.h"
#include "reference/pmda/reference_agents/watched_file.h"

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

}  // namespace

SimpleWorld SimpleWorld::Real(std::string path) {
  SimpleWorld world;
  world.time_of_day = LocalTime;
  world.cpu_time = ProcessTime;
  world.configuration_time = [file = std::make_shared<WatchedFile>(path)] {
    return file->ChangeTime();
  };
  world.configuration = [path] { return ReadTextFile(path).value_or(""); };
  world.log = [](std::string_view line) {
    std::fprintf(stderr, "%s\n", Printable(line, std::string::npos).c_str());
  };
  return world;
}

}  // namespace pmproof::pmda
