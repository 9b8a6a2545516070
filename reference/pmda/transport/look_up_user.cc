// SPDX-License-Identifier: Apache-2.0
#include <grp.h>
#include <pwd.h>

#include <charconv>

#include "reference/pmda/transport/agent_command.h"

namespace pmproof::pmda {

Result<Identity> LookUpUser(const std::string& name) {
  std::vector<char> buffer(65536);
  passwd entry = {};
  passwd* found = nullptr;
  uid_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size())
    getpwuid_r(number, &entry, buffer.data(), buffer.size(), &found);
  else
    getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) {
    return tl::unexpected(
        Status{.kind = Status::Kind::kNotFound, .message = "no user " + name + " on this host"});
  }
  Identity identity = {.user = entry.pw_uid, .group = entry.pw_gid};
  int count = 64;
  do identity.groups.resize(static_cast<std::size_t>(count));
  while (getgrouplist(entry.pw_name, entry.pw_gid, identity.groups.data(), &count) < 0);
  identity.groups.resize(static_cast<std::size_t>(count));
  return identity;
}

}  // namespace pmproof::pmda
