// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/pmcd_conf.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"
#include "reference/pmda/names/conf_lexer.h"

namespace pmproof::pmda {
namespace {

struct Refusal {
  Clause clause;
  std::string message;
};

using Words = std::vector<ConfWord>;
using Kind = std::variant<DsoAgent, PipeAgent, SocketAgent>;

tl::unexpected<Refusal> Refused(Clause clause, std::string message) {
  return tl::unexpected(Refusal{clause, std::move(message)});
}

bool WordIs(const Words& words, std::size_t index, std::string_view keyword) {
  return index < words.size() && EqualsIgnoringCase(words[index].text, keyword);
}

std::vector<std::string> TextsFrom(const Words& words, std::size_t index) {
  std::vector<std::string> texts;
  for (; index < words.size(); ++index) texts.push_back(words[index].text);
  return texts;
}

// PMD-321: digits only; 0..510.
tl::expected<std::uint32_t, Refusal> DomainOf(const Words& words) {
  constexpr std::uint32_t kMostDomain = 510;
  if (words.size() < 2)
    return Refused("PMD-321"_clause, "a domain number expected after the label");
  const std::string& text = words[1].text;
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) {
    return Refused("PMD-321"_clause, "not a domain number: " + Printable(text));
  }
  std::uint32_t domain = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), domain);
  if (parsed.ec != std::errc() || domain > kMostDomain) {
    return Refused("PMD-321"_clause, "the domain number is above 510: " + Printable(text));
  }
  return domain;
}

tl::expected<Kind, Refusal> DsoOf(const Words& words) {
  if (words.size() < 4) return Refused("PMD-322"_clause, "dso: the init function's name expected");
  if (words.size() < 5) return Refused("PMD-322"_clause, "dso: the path of the DSO expected");
  if (words.size() > 5) return Refused("PMD-322"_clause, "dso: words after the path of the DSO");
  if (!words[4].text.starts_with('/')) {
    return Refused("PMD-322"_clause, "dso: the path is not absolute: " + Printable(words[4].text));
  }
  return DsoAgent{words[3].text, words[4].text};
}

tl::expected<Kind, Refusal> PipeOf(const Words& words) {
  if (!WordIs(words, 3, "binary")) return Refused("PMD-322"_clause, "pipe: \"binary\" expected");
  PipeAgent agent{.not_ready = WordIs(words, 4, "notready")};
  agent.command = TextsFrom(words, agent.not_ready ? 5 : 4);
  if (agent.command.empty()) return Refused("PMD-322"_clause, "pipe: a command expected");
  return agent;
}

tl::expected<Kind, Refusal> SocketOf(const Words& words) {
  SocketAgent agent;
  if (WordIs(words, 3, "inet")) {
    agent.family = SocketAgent::Family::kInet;
  } else if (WordIs(words, 3, "ipv6")) {
    agent.family = SocketAgent::Family::kIpv6;
  } else if (WordIs(words, 3, "unix")) {
    agent.family = SocketAgent::Family::kUnix;
  } else {
    return Refused("PMD-322"_clause, "socket: \"inet\", \"ipv6\" or \"unix\" expected");
  }
  if (words.size() < 5) return Refused("PMD-322"_clause, "socket: a port or path expected");
  agent.address = words[4].text;
  agent.command = TextsFrom(words, 5);
  return agent;
}

tl::expected<ConfAgent, Refusal> AgentOf(const Words& words) {
  ConfAgent agent{.label = words[0].text, .line = words[0].line};
  const auto domain = DomainOf(words);
  if (!domain) return tl::unexpected(domain.error());
  agent.domain = *domain;
  auto kind = WordIs(words, 2, "dso")    ? DsoOf(words)
              : WordIs(words, 2, "pipe") ? PipeOf(words)
              : WordIs(words, 2, "socket")
                  ? SocketOf(words)
                  : Refused("PMD-322"_clause, "\"dso\", \"pipe\" or \"socket\" expected");
  if (!kind) return tl::unexpected(kind.error());
  agent.kind = *std::move(kind);
  return agent;
}

}  // namespace

PmcdConf ReadPmcdConf(std::string_view text, const std::string& file) {
  PmcdConf conf;
  const auto report = [&](std::size_t line, Clause clause, std::string message) {
    AddDiagnosis({Diagnosis::Severity::kError, file, line, clause, std::move(message)},
                 conf.problems);
  };
  ConfLexer lexer(text);
  std::unordered_map<std::uint32_t, std::string> labels;  // by domain
  for (Words words = lexer.NextLine(); !words.empty(); words = lexer.NextLine()) {
    auto agent = AgentOf(words);
    if (!agent) {
      report(words[0].line, agent.error().clause,
             "agent " + Printable(words[0].text) + ": " + agent.error().message);
      continue;
    }
    const auto [with_domain, is_new] = labels.emplace(agent->domain, agent->label);
    if (!is_new) {
      report(agent->line, "PMD-321"_clause,
             "agent " + Printable(agent->label) + ": domain " + std::to_string(agent->domain) +
                 " is that of " + Printable(with_domain->second) + " already");
      continue;
    }
    conf.agents.push_back(*std::move(agent));
  }
  if (!lexer.broken()) {
    const ConfWord begin = lexer.NextInAccess();
    if (begin.kind != ConfWord::Kind::kEnd) {
      const ConfWord name = lexer.NextInAccess();
      const ConfWord end = lexer.NextInAccess();
      if (!EqualsIgnoringCase(name.text, "access") || !end.Is(']')) {
        report(begin.line, "PMD-323"_clause, "\"[access]\" expected; the rest is not read");
        return conf;
      }
      conf.access = ReadAccessRules(lexer, file, conf.problems);
    }
  }
  if (lexer.broken()) {
    report(lexer.line(), "PMD-320"_clause, lexer.why() + "; the rest is not read");
  }
  return conf;
}

}  // namespace pmproof::pmda
