// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/certify.h"

#include <utility>

#include "validator/custody/archive_walk.h"
#include "validator/custody/in_order.h"

namespace pmproof::validator {

void CertifyAll(const Tree& tree, const std::vector<std::string>& arguments,
                const Catalogue& catalogue, const CheckOptions& options, CertificateWriter& writer,
                const CertifyEvents& events) {
  CheckOptions alone = options;
  alone.jobs = 1;
  const WantsVerdict always = [](const std::vector<CertifiedFile>&) { return true; };
  InOrder<ExaminedArchive> work(options.jobs, [&](const ExaminedArchive& archive) {
    if (!archive.report) {
      const Status gone{.kind = Status::Kind::kNotFound,
                        .file = archive.name,
                        .message = "no file of such an archive can be read"};
      writer.AddNotChecked({gone.file, gone.message});
      return events.failure(gone);
    }
    writer.Add(archive);
    events.archive(archive);
  });
  WalkArchives(
      tree, arguments,
      [&](WalkedArchive walked) {
        work.Submit([&, walked = std::move(walked)] {
          return Examine(tree, walked.name, *walked.listings, catalogue, alone, always);
        });
      },
      [&](const Status& failure) {
        writer.AddNotChecked({failure.file, failure.message});
        events.failure(failure);
      });
  work.Finish();
}

}  // namespace pmproof::validator
