// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/certify.h"

#include <utility>

#include "validator/custody/archive_walk.h"
#include "validator/custody/in_order.h"

namespace pmproof::validator {

void CertifyAll(const Tree& tree, const std::vector<std::string>& arguments,
                const Catalogue& catalogue, const CheckOptions& options, policy::PolicyJudge* judge,
                CertificateWriter& writer, const CertifyEvents& events) {
  struct Examined {
    ExaminedArchive archive;
    policy::PolicyJudge::Facts facts;
  };
  CheckOptions alone = options;
  alone.jobs = 1;
  const WantsVerdict always = [](const std::vector<CertifiedFile>&) { return true; };
  InOrder<Examined> work(options.jobs, [&](Examined examined) {
    ExaminedArchive& archive = examined.archive;
    if (!archive.report) {
      const Status gone{.kind = Status::Kind::kNotFound,
                        .file = archive.name,
                        .message = "no file of such an archive can be read"};
      writer.AddNotChecked({gone.file, gone.message});
      return events.failure(gone);
    }
    if (judge != nullptr) judge->Judge(std::move(examined.facts), &*archive.report);
    writer.Add(archive);
    events.archive(archive);
  });
  WalkArchives(
      tree, arguments,
      [&](WalkedArchive walked) {
        work.Submit([&, walked = std::move(walked)] {
          Examined examined;
          AfterCheck read;
          if (judge != nullptr) {
            read = [&](const ArchiveReport& report, const std::string& path) {
              examined.facts = judge->Read(report, tree, path, walked.listings.get(), alone.memory);
            };
          }
          examined.archive =
              Examine(tree, walked.name, *walked.listings, catalogue, alone, always, read);
          return examined;
        });
      },
      [&](const Status& failure) {
        writer.AddNotChecked({failure.file, failure.message});
        events.failure(failure);
      });
  work.Finish();
}

}  // namespace pmproof::validator
