// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_CONFIGURATION_H_
#define PMPROOF_VALIDATOR_COLLECTOR_CONFIGURATION_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/status.h"

// A folder from which a collector is started so that all checks can be made.

namespace pmproof::validator::collector {

// The collectors that are started, one for each set of access rules.
enum class Instance : std::uint8_t { kChecks, kDenied, kLimited, kReadOnly };
inline constexpr std::array kInstances = {Instance::kChecks, Instance::kDenied, Instance::kLimited,
                                          Instance::kReadOnly};

// "checks", "denied", "limited", "read_only": what its files are named after.
std::string_view NameOf(Instance instance);

// Where things are in the folder.
struct Layout {
  std::string folder;

  std::string Conf(Instance instance) const { return In(NameOf(instance), ".conf"); }
  std::string Socket(Instance instance) const { return In(NameOf(instance), ".socket"); }
  std::string Log(Instance instance) const { return In(NameOf(instance), ".log"); }
  std::string names() const { return folder + "/pmns"; }
  std::string control() const { return folder + "/control.socket"; }

 private:
  std::string In(std::string_view name, std::string_view suffix) const {
    return folder + "/" + std::string(name) + std::string(suffix);
  }
};

struct Configuration {
  Layout layout;                                 // the folder, absolute
  std::string pmproof;                           // this program, absolute
  std::string pmcd = "/usr/lib/pcp/bin/pmcd";    // the collector
  std::string pmdas = "/usr/lib/pcp/pmdas";      // its agents pmcd and sample
  std::string user{};                            // that the collector and sample run as; empty: pcp
  std::vector<std::string> simple{}, trivial{};  // commands; empty: the reference agents
};

std::string ConfText(const Configuration& configuration, Instance instance);

// The names that the checks use.
std::string NamesText();

// The shell's line that starts a collector in the foreground. It has to have a port, even though
// the checks come by unix socket.
std::string StartLine(const Configuration& configuration, Instance instance, std::uint16_t port);

// Ports of the loopback address that were free a moment ago, all different.
Result<std::vector<std::uint16_t>> FreePorts(std::size_t count);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_CONFIGURATION_H_
