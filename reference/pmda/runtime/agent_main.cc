// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/runtime/agent_main.h"

#include <fcntl.h>
#include <grp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/printable.h"
#include "reference/pmda/names/text_file.h"
#include "reference/pmda/runtime/agent_responder.h"
#include "reference/pmda/transport/agent_command.h"
#include "reference/pmda/transport/descriptor.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/listen.h"

namespace pmproof::pmda {
namespace {

// Paths and names may hold any bytes.
std::string Shown(std::string_view text) { return Printable(text, std::string::npos); }

Status Failed(const std::string& what, std::string why) {
  return {.kind = Status::Kind::kUnreadable, .file = what, .message = std::move(why)};
}

Result<void> OpenLog(const std::string& path) {
  if (path.empty()) return {};
  const Descriptor log(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!log.open() || dup2(log.get(), STDERR_FILENO) < 0) {
    return tl::unexpected(Failed(path, std::strerror(errno)));
  }
  return {};
}

Result<void> BecomeUser(const std::string& name) {
  if (name.empty()) return {};
  const auto identity = LookUpUser(name);
  if (!identity) return tl::unexpected(identity.error());
  // Where a process is not allowed to change its user, it may still be that one.
  if (getuid() == identity->user && geteuid() == identity->user && getgid() == identity->group &&
      getegid() == identity->group) {
    return {};
  }
  if (setgroups(identity->groups.size(), identity->groups.data()) != 0 ||
      setgid(identity->group) != 0 || setuid(identity->user) != 0) {
    return tl::unexpected(Failed("user " + name, std::strerror(errno)));
  }
  return {};
}

Result<void> ReadHelp(const std::string& base, Agent& agent) {
  if (base.empty()) return {};
  CompiledHelp files;
  for (const auto& [suffix, file] :
       {std::pair(".dir", &files.dir), std::pair(".pag", &files.pag)}) {
    auto text = ReadTextFile(base + suffix);
    if (!text) return tl::unexpected(Failed(base + suffix, text.error()));
    *file = *std::move(text);
  }
  auto help = HelpTable::Read(std::move(files), base);
  if (!help) return tl::unexpected(help.error());
  agent.SetHelp(*std::move(help), true);
  return {};
}

Result<std::unique_ptr<Transport>> Connect(const std::optional<Address>& listen) {
  if (!listen) return TakeStandardStreams();
  auto listener = Listener::Open(*listen);
  if (!listener) return tl::unexpected(listener.error());
  if (listen->kind != Address::Kind::kUnix && listen->port == 0) {
    std::fprintf(stderr, "listening on %s\n", listener->address().ToText().c_str());
  }
  return listener->Accept(Deadline::Never());
}

}  // namespace

Result<Served> RunAgent(Agent& agent, const AgentOptions& options) {
  if (options.domain) agent.set_domain(*options.domain);
  if (agent.fault()) return tl::unexpected(*agent.fault());
  if (const auto opened = OpenLog(options.log); !opened) return tl::unexpected(opened.error());
  // PMD-315: an agent serves without its help texts, and says so.
  if (const auto read = ReadHelp(options.help, agent); !read) {
    std::fprintf(stderr, "warning: %s\n", Shown(read.error().ToText()).c_str());
  }
  if (const auto become = BecomeUser(options.user); !become) return tl::unexpected(become.error());
  const auto transport = Connect(options.listen);
  if (!transport) return tl::unexpected(transport.error());
  AgentResponder responder(agent, getpid());
  return Server(**transport, responder).Run();
}

int AgentMain(Agent& agent, int argc, char** argv) {
  return AgentMain(argc, argv,
                   [&agent](const AgentOptions& options) { return RunAgent(agent, options); });
}

int AgentMain(int argc, char** argv,
              const std::function<Result<Served>(const AgentOptions& options)>& run) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::string program = argc > 0 ? argv[0] : "agent";
  const auto options = ParseAgentOptions(words);
  if (!options) {
    std::fprintf(stderr, "%s: %s\n%s", program.c_str(), Shown(options.error()).c_str(),
                 AgentUsage(program).c_str());
    return 1;
  }
  const auto served = run(*options);
  if (served) return 0;
  std::fprintf(stderr, "%s: %s\n", program.c_str(), Shown(served.error().ToText()).c_str());
  return 1;
}

}  // namespace pmproof::pmda
