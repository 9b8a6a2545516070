// SPDX-License-Identifier: Apache-2.0
// A program that misbehaves as an agent can, for agent_process_test:
//   misbehaving_agent WHAT [ARGUMENT...]
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/listen.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::pmda {
namespace {

using Arguments = std::vector<std::string>;

void Say(const std::string& text) {
  [[maybe_unused]] const ssize_t size = write(STDOUT_FILENO, text.data(), text.size());
}

[[noreturn]] void Stay() {
  for (;;) pause();
}

void IgnoreAll() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
}

// What a good agent does: answers until end-of-file (PMD-062).
int Echo() {
  char buffer[4096];
  for (;;) {
    const ssize_t size = read(STDIN_FILENO, buffer, sizeof buffer);
    if (size <= 0) return 0;
    Say(std::string(buffer, static_cast<std::size_t>(size)));
  }
}

int EchoOver(Transport& transport) {
  std::vector<std::uint8_t> buffer(65536);
  for (;;) {
    const Transfer read = transport.Read(buffer, Deadline::Never());
    if (!read.moved()) return 0;
    WriteAll(transport, Bytes(buffer).first(read.size), Deadline::Never());
  }
}

int ServeOn(const Address& address) {
  auto listener = Listener::Open(address);
  if (!listener) {
    std::fprintf(stderr, "%s\n", listener.error().ToText().c_str());
    return 1;
  }
  std::fprintf(stderr, "port %d\n", listener->address().port);
  auto transport = listener->Accept(Deadline::Never());
  return transport ? EchoOver(**transport) : 1;
}

// Runs `what` in a process that init, or a subreaper, becomes the parent of.
void Daemonise(const std::function<void()>& what) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      what();
      _exit(0);
    }
    _exit(0);
  }
  wait(nullptr);
}

void StayStubbornly() {
  IgnoreAll();
  Stay();
}

// Forks and ends, over and over: nobody can be sure of its number.
void Hop() {
  IgnoreAll();
  for (;;) {
    const pid_t next = fork();
    if (next > 0) _exit(0);
    setsid();
  }
}

void GrowTree(int depth) {
  IgnoreAll();
  if (depth % 2 == 0) setsid();
  for (int i = 0; i < 2 && depth > 0; ++i) {
    if (fork() == 0) {
      GrowTree(depth - 1);
      Stay();
    }
  }
}

int Flood(int descriptor) {
  IgnoreAll();
  signal(SIGPIPE, SIG_IGN);
  const std::string line = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n";
  for (;;) {
    if (write(descriptor, line.data(), line.size()) < 0) usleep(1000);
  }
}

std::string LinkOf(const std::string& path) {
  char target[4096];
  const ssize_t size = readlink(path.c_str(), target, sizeof target);
  return size > 0 ? std::string(target, static_cast<std::size_t>(size)) : "";
}

// How it was started, one thing a line.
int Describe() {
  std::string text;
  for (int i = 0; i < 64; ++i) {
    if (fcntl(i, F_GETFD) < 0) continue;
    const std::string target = LinkOf("/proc/self/fd/" + std::to_string(i));
    text += "fd " + std::to_string(i) + " " + target.substr(0, target.find(':')) + "\n";
  }
  text += "cwd " + LinkOf("/proc/self/cwd") + "\n";
  text += "user " + std::to_string(getuid()) + " " + std::to_string(getgid()) + "\n";
  text += "pid " + std::to_string(getpid()) + " " + std::to_string(getpgrp()) + " " +
          std::to_string(getsid(0)) + "\n";
  for (char** variable = environ; *variable != nullptr; ++variable)
    text += "env " + std::string(*variable) + "\n";
  FILE* const status = std::fopen("/proc/self/status", "r");
  char line[256];
  while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr) {
    if (std::strncmp(line, "SigBlk", 6) == 0 || std::strncmp(line, "SigIgn", 6) == 0) text += line;
  }
  Say(text);
  return 0;
}

// With so many descriptors more, and so many MiB.
int Hold(int descriptors, int mebibytes) {
  static std::vector<char> memory;
  for (int i = 0; i < descriptors; ++i) {
    if (dup(STDERR_FILENO) < 0) return 1;
  }
  memory.assign(static_cast<std::size_t>(mebibytes) << 20, 'x');
  Say("ready");
  return Echo();
}

int LeaveFiles(const std::string& directory) {
  close(open((directory + "/lock").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (directory + "/socket").copy(address.sun_path, sizeof address.sun_path - 1);
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return bind(made, reinterpret_cast<sockaddr*>(&address), sizeof address);
}

const std::map<std::string, std::function<int(const Arguments&)>>& Ways() {
  static const std::map<std::string, std::function<int(const Arguments&)>> ways = {
      {"echo", [](const Arguments&) { return Echo(); }},
      {"exit", [](const Arguments& a) { return std::stoi(a[0]); }},
      {"die",
       [](const Arguments& a) {
         signal(std::stoi(a[0]), SIG_DFL);  // a sanitizer may have a handler
         return raise(std::stoi(a[0]));
       }},
      {"deaf", [](const Arguments&) -> int { Stay(); }},
      {"stubborn",
       [](const Arguments&) -> int {
         IgnoreAll();
         Say("ready");
         Stay();
       }},
      {"stopped",
       [](const Arguments&) {
         raise(SIGSTOP);
         return Echo();
       }},
      {"flood-output", [](const Arguments&) { return Flood(STDOUT_FILENO); }},
      {"flood-log", [](const Arguments&) { return Flood(STDERR_FILENO); }},
      {"log",
       [](const Arguments& a) {
         for (int i = 0; i < std::stoi(a[0]); ++i) std::fprintf(stderr, "line %07d\n", i);
         std::printf("this too");
         return 0;
       }},
      {"close-output",
       [](const Arguments&) {
         close(STDOUT_FILENO);
         char byte;
         while (read(STDIN_FILENO, &byte, 1) > 0) {
         }
         return 0;
       }},
      {"children",
       [](const Arguments&) {
         GrowTree(5);
         Say("ready");
         return Echo();
       }},
      {"daemon",
       [](const Arguments&) {
         Daemonise(StayStubbornly);
         return 0;
       }},
      {"hopper",
       [](const Arguments&) {
         Daemonise(Hop);
         return 0;
       }},
      {"zombies",
       [](const Arguments&) {
         for (int i = 0; i < 3; ++i) {
           if (fork() == 0) _exit(0);
         }
         siginfo_t child;
         waitid(P_ALL, 0, &child, WEXITED | WNOWAIT);
         Say("ready");
         return Echo();
       }},
      {"kill-guardian",
       [](const Arguments&) -> int {
         Daemonise(StayStubbornly);
         if (fork() == 0) StayStubbornly();
         Say("ready");
         char byte;
         [[maybe_unused]] const ssize_t size = read(STDIN_FILENO, &byte, 1);
         kill(getppid(), SIGKILL);
         StayStubbornly();
         return 0;
       }},
      {"stop-guardian",
       [](const Arguments&) {
         kill(getppid(), SIGSTOP);
         Say("ready");
         return Echo();
       }},
      {"keep-guardian-stopped",
       [](const Arguments&) -> int {
         IgnoreAll();
         Say("ready");
         const pid_t guardian = getppid();
         for (;;) kill(guardian, SIGSTOP);
       }},
      {"describe", [](const Arguments&) { return Describe(); }},
      {"hold", [](const Arguments& a) { return Hold(std::stoi(a[0]), std::stoi(a[1])); }},
      {"leave-files", [](const Arguments& a) { return LeaveFiles(a[0]); }},
      {"serve-unix", [](const Arguments& a) { return ServeOn(Address::Unix(a[0])); }},
      {"serve-inet", [](const Arguments&) { return ServeOn(Address::Inet(0)); }},
      {"serve-standard-streams",
       [](const Arguments&) {
         auto transport = TakeStandardStreams();
         std::printf("a print of the agent's code\n");
         std::fflush(stdout);
         return transport ? EchoOver(**transport) : 1;
       }},
  };
  return ways;
}

}  // namespace
}  // namespace pmproof::pmda

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  const auto& ways = pmproof::pmda::Ways();
  const auto way = arguments.empty() ? ways.end() : ways.find(arguments[0]);
  if (way == ways.end()) return 99;
  return way->second({arguments.begin() + 1, arguments.end()});
}
