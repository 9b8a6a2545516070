// SPDX-License-Identifier: Apache-2.0
// Whether an archive conforms, then the time and the length of each record:  records ARCHIVE
#include <ctime>
#include <iostream>

#include "reference/archive/storage.h"
#include "reference/replay/replay_archive.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"

namespace archive = pmproof::archive;
namespace replay = pmproof::replay;
namespace validator = pmproof::validator;

class Printer final : public replay::RecordVisitor {
 public:
  bool OnRecord(const archive::DataRecord&, const replay::Moment& moment,
                const replay::RecordPlace& place) override {
    return Print(moment, place, " bytes\n");
  }
  bool OnMark(const replay::Moment& moment, const replay::RecordPlace& place) override {
    return Print(moment, place, " bytes, a mark\n");
  }
  bool OnDamage(const replay::Moment&, const pmproof::Status& status) override {
    std::cout << status.ToText() << '\n';
    return true;
  }

 private:
  static bool Print(const replay::Moment& moment, const replay::RecordPlace& place,
                    const char* what) {
    std::cout << pmproof::ToIsoText(moment.time) << "  " << place.length << what;
    return true;
  }
};

int Fail(const pmproof::Status& status) {
  std::cerr << status.ToText() << '\n';
  return 2;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto storage = archive::MakePosixStorage();
  const auto catalogue = validator::Catalogue::Shipped();
  validator::CheckOptions options;
  options.now.seconds = std::time(nullptr);
  const auto report = validator::CheckArchive(*storage, argv[1], catalogue, options);
  if (report.failure) return Fail(*report.failure);
  std::cout << (report.conformant ? "conformant\n" : "not conformant\n");
  for (const validator::Finding& finding : report.findings) {
    std::cout << ToText(finding.severity) << ' ' << finding.rule.ToString() << ": "
              << finding.message << '\n';
  }

  const auto opened = replay::ReplayArchive::Open(*storage, {argv[1]});
  if (!opened) return Fail(opened.error());
  Printer printer;
  using Marks = replay::ReplayArchive::VirtualMarks;
  if (const auto error = (*opened)->Walk(Marks::kReference, printer)) return Fail(*error);
  return report.conformant ? 0 : 1;
}
