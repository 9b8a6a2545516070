// SPDX-License-Identifier: Apache-2.0
// render_sample FORMAT [policy]: writes the sample reports in one format, on request as a policy
// judged them; what the Python tests parse.

#include <iostream>
#include <string_view>

#include "validator/check/report/render.h"
#include "validator/check/report/testing/sample_report.h"

int main(int argc, char** argv) {
  using namespace pmproof;
  using namespace pmproof::validator;
  const bool judged = argc == 3 && argv[2] == std::string_view("policy");
  const auto format = argc == 2 || judged ? ParseFormat(argv[1]) : std::nullopt;
  if (!format) return 2;
  Report report;
  report.archives = {testing::GoodArchive(), testing::BadArchive(), testing::HostileArchive(),
                     testing::FailedArchive()};
  report.archives.push_back(testing::GoodArchive());
  report.archives.back().internal_errors = {"a violation of ARC-9999 <was> reported"};
  Status missing;
  missing.kind = Status::Kind::kNotFound;
  missing.file = std::string("\xff\x1b]0;<b>");
  missing.message = "no such file or directory";
  report.errors.push_back(missing);
  if (judged) testing::Judge(&report);
  RenderOptions options;
  options.time = {1700000000, 5};
  options.made = options.time;
  Render(*format, report, testing::SmallCatalogue(), options, std::cout);
  return 0;
}
