// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/configuration.h"

#include "reference/core/printable.h"
#include "reference/pmda/transport/listen.h"
#include "validator/collector/stub_roles.h"

namespace pmproof::validator::collector {
namespace {

// A word of pmcd.conf (PMD-320).
std::string Quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\"#\\[],:;") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '#') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// As bash and POSIX shells since 2024 read it, and nothing that acts on the terminal it is shown
// on.
std::string AnsiQuoted(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "$'";
  for (const char c : word) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte >= ' ' && byte < 0x7f && c != '\'' && c != '\\') {
      quoted += c;
    } else {
      quoted += "\\x";
      quoted += kDigits[byte >> 4];
      quoted += kDigits[byte & 15];
    }
  }
  return quoted + "'";
}

std::string ShellQuoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (FirstForeign(word).at < word.size()) return AnsiQuoted(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string PipeLine(std::string_view label, std::uint32_t domain,
                     const std::vector<std::string>& words, bool not_ready = false) {
  std::string line = std::string(label) + " " + std::to_string(domain) + " pipe binary";
  if (not_ready) line += " notready";
  for (const std::string& word : words) line += " " + Quoted(word);
  return line + "\n";
}

// Rules for clients by inet, ipv6 and unix socket (PMD-323).
std::string AccessText(std::string_view verb, std::string_view operations) {
  std::string text = "[access]\n";
  for (const std::string_view hosts : {".*", ":*", "local:*"}) {
    text += std::string(verb) + " hosts \"" + std::string(hosts) +
            "\" : " + std::string(operations) + ";\n";
  }
  return text;
}

}  // namespace

std::string_view NameOf(Instance instance) {
  switch (instance) {
    case Instance::kChecks:
      return "checks";
    case Instance::kDenied:
      return "denied";
    case Instance::kLimited:
      return "limited";
    case Instance::kReadOnly:
      break;
  }
  return "read_only";
}

std::string ConfText(const Configuration& configuration, Instance instance) {
  const std::string& pmproof = configuration.pmproof;
  const auto reference = [&](const std::vector<std::string>& command, const char* name) {
    return command.empty() ? std::vector<std::string>{pmproof, "agent", "serve", name} : command;
  };
  std::string text = "# Made by pmproof collector config.\n";
  text += "pmcd 2 dso pmcd_init " + Quoted(configuration.pmdas + "/pmcd/pmda_pmcd.so") + "\n";
  text += PipeLine("simple", kSimpleDomain, reference(configuration.simple, "simple"));
  switch (instance) {
    case Instance::kDenied:
      return text + AccessText("disallow", "all");
    case Instance::kLimited:
      return text + AccessText("allow", "maximum 12 connections");
    case Instance::kReadOnly:
      return text + AccessText("disallow", "store");
    case Instance::kChecks:
      break;
  }
  text += PipeLine("trivial", kTrivialDomain, reference(configuration.trivial, "trivial"));
  // The DSO of sample gives other names to its dynamic metrics.
  std::vector<std::string> sample = {configuration.pmdas + "/sample/pmdasample", "-d",
                                     std::to_string(kSampleDomain), "-l",
                                     configuration.layout.folder + "/sample.log"};
  if (!configuration.user.empty()) sample.insert(sample.end(), {"-U", configuration.user});
  text += PipeLine("sample", kSampleDomain, sample);
  for (const Role& role : kRoles) {
    text += PipeLine(role.name, role.domain,
                     {pmproof, "collector", "agent", "--role", std::string(role.name), "--control",
                      configuration.layout.control()},
                     role.not_ready);
  }
  return text;
}

std::string NamesText() {
  return "root { pmcd simple trivial sample }\n"
         "pmcd { version 2:0:7 numclients 2:0:3 openfds 2:0:17 }\n"
         "simple { numfetch 253:0:0 color 253:0:1 time now 253:2:4 }\n"
         "simple.time { user 253:1:2 sys 253:1:3 }\n"
         "trivial { time 250:0:0 }\n"
         "sample { daemon_pid 29:0:1 dupnames long longlong secret 29:*:* }\n"
         "sample.dupnames { daemon_pid 29:0:1 pid_daemon 29:0:1 }\n"
         "sample.long { ten 29:0:10 }\n"
         "sample.longlong { ten 29:0:21 }\n";
}

std::string StartLine(const Configuration& configuration, Instance instance, std::uint16_t port) {
  const Layout& layout = configuration.layout;
  std::string line =
      ShellQuoted(configuration.pmcd) + " -f -A -i 127.0.0.1 -p " + std::to_string(port);
  const std::pair<const char*, std::string> options[] = {{"-s", layout.Socket(instance)},
                                                         {"-c", layout.Conf(instance)},
                                                         {"-n", layout.names()},
                                                         {"-l", layout.Log(instance)}};
  for (const auto& [option, path] : options) {
    line += std::string(" ") + option + " " + ShellQuoted(path);
  }
  if (!configuration.user.empty()) line += " -U " + ShellQuoted(configuration.user);
  return line;
}

Result<std::vector<std::uint16_t>> FreePorts(std::size_t count) {
  std::vector<pmda::Listener> held;
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) {
    auto listener = pmda::Listener::Open(pmda::Address::Inet(0));
    if (!listener) return tl::unexpected(listener.error());
    ports.push_back(listener->address().port);
    held.push_back(*std::move(listener));
  }
  return ports;
}

}  // namespace pmproof::validator::collector
