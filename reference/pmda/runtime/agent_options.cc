// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/agent_options.h"

#include <charconv>

namespace pmproof::pmda {
namespace {

constexpr std::uint32_t kMaxDomain = 510;  // PDU-032
constexpr std::uint32_t kMaxPort = 65535;
constexpr std::string_view kWithArgument = "Ddhi6luU";

std::optional<std::uint32_t> Number(std::string_view text, std::uint32_t most) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > most) {
    return std::nullopt;
  }
  return number;
}

// What is wrong with it; empty if nothing is.
std::string Take(char option, const std::string& argument, AgentOptions* options) {
  const auto bad = [&] { return std::string("-") + option + ": out of range: " + argument; };
  switch (option) {
    case 'D':
      options->debug = argument;
      return "";
    case 'd':
      options->domain = Number(argument, kMaxDomain);
      return options->domain ? "" : bad();
    case 'h':
      options->help = argument;
      return "";
    case 'i':
    case '6': {
      const auto port = Number(argument, kMaxPort);
      if (!port) return bad();
      const auto number = static_cast<std::uint16_t>(*port);
      options->listen = option == 'i' ? Address::Inet(number) : Address::Inet6(number);
      return "";
    }
    case 'l':
      options->log = argument;
      return "";
    case 'u':
      options->listen = Address::Unix(argument);
      return "";
    default:
      options->user = argument;
      return "";
  }
}

}  // namespace

tl::expected<AgentOptions, std::string> ParseAgentOptions(std::span<const std::string> words) {
  AgentOptions options;
  int channels = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && i + 1 == words.size()) break;
    if (word.size() < 2 || word[0] != '-' || word == "--") {
      return tl::unexpected("not an option: " + (word == "--" ? words[i + 1] : word));
    }
    for (std::size_t at = 1; at < word.size(); ++at) {
      const char option = word[at];
      if (option == 'i' || option == '6' || option == 'u' || option == 'p') {
        if (++channels > 1) return tl::unexpected(std::string("more than one of -i -6 -p -u"));
      }
      if (option == 'p') continue;
      if (kWithArgument.find(option) == std::string_view::npos) {
        return tl::unexpected(std::string("no such option: -") + option);
      }
      const bool here = at + 1 < word.size();
      if (!here && i + 1 == words.size()) {
        return tl::unexpected(std::string("-") + option + " needs an argument");
      }
      const std::string argument = here ? word.substr(at + 1) : words[++i];
      if (std::string wrong = Take(option, argument, &options); !wrong.empty()) {
        return tl::unexpected(std::move(wrong));
      }
      break;
    }
  }
  return options;
}

std::string AgentUsage(std::string_view program) {
  return "Usage: " + std::string(program) +
         " [options]\n"
         "  -d N     domain number, 0 to 510\n"
         "  -h BASE  help text: BASE.dir and BASE.pag\n"
         "  -l FILE  log, instead of standard error\n"
         "  -U USER  run as this user\n"
         "  -D WHAT  taken, and ignored\n"
         "At most one of (default -p):\n"
         "  -p       the collector is at standard input and output\n"
         "  -i PORT  listen on the IPv4 loopback address; 0: any free port\n"
         "  -6 PORT  listen on the IPv6 loopback address\n"
         "  -u PATH  listen on a unix socket\n";
}

}  // namespace pmproof::pmda
