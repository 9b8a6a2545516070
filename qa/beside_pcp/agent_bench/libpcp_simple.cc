// SPDX-License-Identifier: Apache-2.0
// The metrics of the agent simple (PMD-220 to PMD-227) on PCP's own library: what an agent in C
// costs whose loop, look-up and encoding are libpcp_pmda's. Debian's packages have simple in Python
// and Perl only. The library is loaded when this runs, where PCP is; its functions are declared as
// their documentation has them, its structures as section 11.3 of the specification.
//
//   libpcp_simple SIMPLE.CONF

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "reference/pmda/dso/interface.h"

namespace {

using pmproof::dso::Interface;

constexpr int kDomain = 253;
constexpr int kInterface = 7;

union AtomValue {
  std::int32_t i32;
  std::uint32_t u32;
  double f64;
  void* pointer;
};
static_assert(sizeof(AtomValue) == 8);

struct Metric {
  void* user;
  pmproof::dso::Desc desc;
};
static_assert(sizeof(Metric) == 32);

struct InstanceName {
  std::int32_t number;
  const char* name;
};
struct InstanceTable {
  std::uint32_t indom;
  std::int32_t count;
  InstanceName* instances;
};
static_assert(sizeof(InstanceName) == 16 && sizeof(InstanceTable) == 16);

using FetchCallback = int (*)(Metric*, unsigned, AtomValue*);
using Fetch = int (*)(int, std::uint32_t*, pmproof::dso::Result**, pmproof::dso::Extension*);

constexpr std::uint32_t kNoIndom = 0xffffffff;
constexpr std::uint32_t kSeconds = 0x01003000;

// In the order of their items, so that the library finds them directly.
Metric metrics[] = {
    {nullptr, {0U << 10 | 0, 1, kNoIndom, 3, 0}},         // numfetch
    {nullptr, {0U << 10 | 1, 0, 0, 3, 0}},                // color
    {nullptr, {1U << 10 | 2, 5, kNoIndom, 1, kSeconds}},  // time.user
    {nullptr, {1U << 10 | 3, 5, kNoIndom, 1, kSeconds}},  // time.sys
    {nullptr, {2U << 10 | 4, 1, 1, 3, 0}},                // now
};
InstanceName colors[] = {{0, "red"}, {1, "green"}, {2, "blue"}};
InstanceName parts[] = {{0, "sec"}, {1, "min"}, {2, "hour"}};
InstanceTable domains[] = {{0, 3, colors}, {1, 0, parts}};

struct State {
  const char* configuration = "";
  Fetch library_fetch = nullptr;
  std::uint32_t fetches = 0;
  std::int32_t color[3] = {0, 100, 200};
  std::uint32_t sampled_at = 0;
  rusage usage = {};
  std::tm now = {};
  std::int64_t read_at = -1;
} state;

// Only what a benchmark needs: the parts in their usual order.
void ReadConfiguration() {
  struct stat status {};
  if (stat(state.configuration, &status) != 0) return;
  const std::int64_t changed =
      std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  if (changed == state.read_at) return;
  state.read_at = changed;
  std::ifstream file(state.configuration);
  std::string line;
  std::getline(file, line);
  domains[1].count = line == "sec,min,hour" ? 3 : 0;
}

int OnFetch(int count, std::uint32_t* pmids, pmproof::dso::Result** result,
            pmproof::dso::Extension* ext) {
  ++state.fetches;
  ReadConfiguration();
  const std::time_t now = std::time(nullptr);
  localtime_r(&now, &state.now);
  return state.library_fetch(count, pmids, result, ext);
}

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

int OnValue(Metric* metric, unsigned instance, AtomValue* value) {
  const std::uint32_t item = metric->desc.pmid & 0x3ff;
  if (item == 0) {
    value->u32 = state.fetches;
  } else if (item == 1) {
    if (instance > 2) return 0;
    value->i32 = state.color[instance] = (state.color[instance] + 1) % 256;
  } else if (item < 4) {
    if (state.fetches > state.sampled_at) {
      getrusage(RUSAGE_SELF, &state.usage);
      state.sampled_at = state.fetches;
    }
    value->f64 = SecondsOf(item == 2 ? state.usage.ru_utime : state.usage.ru_stime);
  } else {
    value->u32 = static_cast<std::uint32_t>(instance == 0   ? state.now.tm_sec
                                            : instance == 1 ? state.now.tm_min
                                                            : state.now.tm_hour);
  }
  return 1;
}

template <typename Function>
Function Find(void* library, const char* name) {
  auto* const found = dlsym(library, name);
  if (found == nullptr) std::fprintf(stderr, "libpcp_simple: %s\n", dlerror());
  return reinterpret_cast<Function>(found);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  state.configuration = argv[1];
  void* const library = dlopen("libpcp_pmda.so.3", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    std::fprintf(stderr, "libpcp_simple: %s\n", dlerror());
    return 1;
  }
  const auto daemon = Find<void (*)(Interface*, int, const char*, int, const char*, const char*)>(
      library, "pmdaDaemon");
  const auto connect = Find<void (*)(Interface*)>(library, "pmdaConnect");
  const auto initialise =
      Find<void (*)(Interface*, InstanceTable*, int, Metric*, int)>(library, "pmdaInit");
  const auto set_callback =
      Find<void (*)(Interface*, FetchCallback)>(library, "pmdaSetFetchCallBack");
  const auto run = Find<void (*)(Interface*)>(library, "pmdaMain");
  if (!daemon || !connect || !initialise || !set_callback || !run) return 1;

  static Interface dispatch;
  daemon(&dispatch, kInterface, "libpcp_simple", kDomain, nullptr, nullptr);
  if (dispatch.status != 0) return 1;
  state.library_fetch = dispatch.fetch;
  dispatch.fetch = OnFetch;
  set_callback(&dispatch, OnValue);
  initialise(&dispatch, domains, 2, metrics, 5);
  connect(&dispatch);
  if (dispatch.status != 0) return 1;
  run(&dispatch);
  return 0;
}
