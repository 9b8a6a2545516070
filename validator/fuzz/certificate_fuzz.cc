// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "validator/custody/read_certificate.h"
#include "validator/custody/tree.h"

// Any bytes as a certificate: an error that names the file, or archives in order and below the
// root, the same when it is read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pmproof::validator::CertifiedArchive;
  using pmproof::validator::ComesBefore;
  using pmproof::validator::ReadCertificateFrom;
  using pmproof::validator::StaysBelow;
  std::uint64_t archives = 0;
  std::string last;
  const auto read = ReadCertificateFrom({data, size}, "c.json", std::size_t{1} << 20,
                                        [&](const CertifiedArchive& one) {
                                          if (!StaysBelow(one.name)) std::abort();
                                          if (archives++ > 0 && !ComesBefore(last, one.name))
                                            std::abort();
                                          last = one.name;
                                        });
  if (!read) {
    if (read.error().file != "c.json" || read.error().message.empty()) std::abort();
    return 0;
  }
  const auto again = ReadCertificateFrom({data, size}, "c.json", std::size_t{1} << 20);
  if (!again || again->archives != archives || again->files != read->files) std::abort();
  return 0;
}
