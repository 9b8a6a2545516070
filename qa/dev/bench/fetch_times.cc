// SPDX-License-Identifier: Apache-2.0
// Fetches one metric at many times by chance from one context, each by a call of its own, as a
// program does that is asked for one after the other: fetch_times ARCHIVE METRIC COUNT.
// Prints how many values there were as one JSON object.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "reference/archive/storage.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"

namespace {

using namespace pmproof;  // NOLINT(google-build-using-namespace): nobody includes this

int Fail(const std::string& why) {
  std::fprintf(stderr, "fetch_times: %s\n", why.c_str());
  return 1;
}

int Run(const std::string& name, const std::string& metric, std::uint64_t count) {
  const auto storage = archive::MakePosixStorage();
  const auto archive = replay::ReplayArchive::Open(*storage, {name});
  if (!archive) return Fail(archive.error().ToText());
  const auto pmid = (*archive)->Find(metric);
  const auto end = (*archive)->End();
  if (!pmid || !end) return Fail(name + ": no metric " + metric + ", or no record");
  const Timestamp start = (*archive)->origin().start();
  const auto span = static_cast<std::uint64_t>(NanosecondsBetween(start, *end));

  replay::ReplayRequest request;
  request.metrics = {*pmid};
  request.seeks = true;
  replay::ReplayContext context(**archive, request, replay::Pcp632());
  std::uint64_t random = 1;
  std::uint64_t values = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const auto offset = static_cast<std::int64_t>((random >> 1) % (span + 1));
    const Timestamp time = start + offset;
    const auto error = context.Fetch({&time, 1}, [&](const replay::FetchAnswer& fetch) {
      for (const replay::MetricAnswer& answer : fetch.metrics) values += answer.values.size();
    });
    if (error) return Fail(error->ToText());
  }
  std::printf("{\"fetches\": %llu, \"values\": %llu}\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(values));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return Fail("usage: fetch_times ARCHIVE METRIC COUNT");
  return Run(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10));
}
