// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_DISCLOSURE_PRIVATE_TEXT_H_
#define PMPROOF_VALIDATOR_CHECK_DISCLOSURE_PRIVATE_TEXT_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "validator/check/report/disclosure.h"

// What is private is known by the name of a field, or by the form of what is in it. Neither is
// certain: a version number may look like an address. Nothing here decides; a person does.

namespace pmproof::validator {

// What all texts of a metric, or of a label, with this name are: "proc.psinfo.psargs" are command
// lines, "machineid" are identifiers.
std::optional<Private> PrivateByName(std::string_view name);

// Whether numbers of a metric with this name are those of users: "proc.id.uid".
bool NumbersOfUsers(std::string_view name);

// An instance name as that of a process: its number, a blank, its command.
bool LooksLikeProcess(std::string_view name);

struct PrivatePart {
  Private kind = Private::kHost;
  std::size_t begin = 0;
  std::size_t length = 0;
};

// Finds addresses of IPv4, IPv6, hardware and mail, UUIDs and long hexadecimal identifiers, home
// directories, and the archive's own `host`, in full or up to its first dot. Addresses that every
// machine has (127.0.0.1, ::1, ...) are none. Bytes are taken as they are. Linear in `text`.
std::vector<PrivatePart> PrivateParts(std::string_view text, std::string_view host);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_DISCLOSURE_PRIVATE_TEXT_H_
