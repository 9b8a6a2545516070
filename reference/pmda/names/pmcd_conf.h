// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_PMCD_CONF_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_PMCD_CONF_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/pmda/names/access_rules.h"
#include "reference/pmda/names/diagnosis.h"

// pmcd.conf (14.3): what pmcd starts, and whom it serves.

namespace pmproof::pmda {

// PMD-320: a line with those that continue it, without its newline.
inline constexpr std::size_t kMaxConfLine = 2198;

struct DsoAgent {
  std::string init{};  // the function that initialises it
  std::string path{};  // absolute (PMD-322)

  friend bool operator==(const DsoAgent&, const DsoAgent&) = default;
};

struct PipeAgent {
  bool not_ready = false;              // it says itself when it is (PMD-048)
  std::vector<std::string> command{};  // the program and its arguments; at least one

  friend bool operator==(const PipeAgent&, const PipeAgent&) = default;
};

struct SocketAgent {
  enum class Family : std::uint8_t { kInet, kIpv6, kUnix };
  Family family = Family::kInet;
  std::string address{};               // a port's number or name; for kUnix a path
  std::vector<std::string> command{};  // empty: somebody else starts it

  friend bool operator==(const SocketAgent&, const SocketAgent&) = default;
};

struct ConfAgent {
  std::string label{};
  std::uint32_t domain = 0;
  std::variant<DsoAgent, PipeAgent, SocketAgent> kind{};
  std::size_t line = 0;

  friend bool operator==(const ConfAgent&, const ConfAgent&) = default;
};

struct PmcdConf {
  std::vector<ConfAgent> agents{};
  // PMD-324: none: no access section, everything is allowed.
  std::optional<std::vector<AccessRule>> access{};
  std::vector<Diagnosis> problems{};
};

// What a problem concerns is left out; the rest is there (PMD-321). After a line that is too long
// or a quote that is not closed nothing more is read, as with pmcd. Host, user and port names are
// not looked up: that is up to the machine. Time and memory are linear in the text.
PmcdConf ReadPmcdConf(std::string_view text, const std::string& file);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_PMCD_CONF_H_
