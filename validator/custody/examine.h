// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_EXAMINE_H_
#define PMPROOF_VALIDATOR_CUSTODY_EXAMINE_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/check/report/report.h"
#include "validator/custody/certificate.h"
#include "validator/custody/tree.h"

namespace pmproof::validator {

// The digests of an archive's files and the verdict on it.
struct ExaminedArchive {
  std::string name;                  // below the root
  std::vector<CertifiedFile> files;  // by name; all of them, or none if digests mean nothing
  // With `failure` where a file could not be read or was changed meanwhile, or a budget was
  // exceeded. Nothing: nobody wanted a verdict.
  std::optional<ArchiveReport> report;
};

// Whether a verdict is wanted, of an archive whose files are these.
using WantsVerdict = std::function<bool(const std::vector<CertifiedFile>& files)>;

// Called after the check, before it is known whether the archive was changed meanwhile: what it
// reads is about the certified content, too. `path` is what the archive is opened by.
using AfterCheck = std::function<void(const ArchiveReport& report, const std::string& path)>;

// Hashes the files of the archive `name` ("host/20240101", whatever that name may also stand for)
// and checks it. Digests and verdict are about the same content: each file is hashed before the
// check and again after it, and both times the operating system is asked when it was last changed.
// Where the two are not the same there is a failure (kUnreadable) that names the file.
//
// `listings` has the directory. Files are all regular ones with a name of this archive's (ARC-037).
// Where there are none the result has no files and no report.
ExaminedArchive Examine(const Tree& tree, const std::string& name,
                        const archive::Listings& listings, const Catalogue& catalogue,
                        const CheckOptions& options, const WantsVerdict& wants_verdict,
                        const AfterCheck& after_check = nullptr);

// The digests of one file. Errors: those of opening it, of a file that is cut meanwhile, and
// kBudget.
Result<CertifiedFile> HashFile(const Tree& tree, const std::string& path,
                               const archive::SourceLimits& limits);

// Of a name that is an archive's file's.
archive::Compression CompressionOf(const std::string& file_name);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_EXAMINE_H_
