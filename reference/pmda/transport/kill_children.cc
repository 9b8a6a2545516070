// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/kill_children.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstring>

namespace pmproof::pmda {
namespace {

bool HasChildren() {
  siginfo_t child = {};
  return waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
}

// The parent as /proc/PID/stat has it, "4711 (any (text)) S 4242 ..."; 0 if it is gone.
pid_t ParentOf(int proc, const char* number) {
  char path[32];
  const std::size_t size = strlen(number);
  if (size + sizeof "/stat" > sizeof path) return 0;
  std::copy_n(number, size, path);
  memcpy(path + size, "/stat", sizeof "/stat");
  const int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char content[256];  // the name is at most 64 bytes
  const ssize_t got = read(file, content, sizeof content);
  close(file);
  const char* const end = got > 0 ? content + got : content;
  const char* after = nullptr;
  for (const char* p = content; p < end; ++p) {
    if (*p == ')') after = p;
  }
  if (after == nullptr || end - after < 5) return 0;
  pid_t parent = 0;
  for (const char* p = after + 4; p < end && *p >= '0' && *p <= '9'; ++p)
    parent = parent * 10 + (*p - '0');
  return parent;
}

pid_t Number(const char* text) {
  pid_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + (*text - '0');
  return *text == '\0' ? number : 0;
}

}  // namespace

int OpenProc() { return open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

void KillGroupOf(pid_t child) {
  const pid_t group = getpgid(child);
  if (group > 1 && group != getpgrp()) kill(-group, SIGKILL);
}

bool KillChildren(int proc) {
  if (!HasChildren()) return false;
  const pid_t self = getpid();
  lseek(proc, 0, SEEK_SET);
  alignas(8) char entries[32768];
  constexpr std::size_t kSmallestEntry = 24;
  const char* names[sizeof entries / kSmallestEntry];
  for (;;) {
    const long size = syscall(SYS_getdents64, proc, entries, sizeof entries);
    if (size <= 0) return true;
    std::size_t count = 0;
    for (long at = 0; at < size;) {
      const dirent64* const entry = reinterpret_cast<const dirent64*>(entries + at);
      if (Number(entry->d_name) > 0) names[count++] = entry->d_name;
      at += entry->d_reclen;
    }
    // The youngest first: one that forks and ends, over and over, is caught before it has gone on.
    while (count > 0) {
      const char* const name = names[--count];
      if (ParentOf(proc, name) != self) continue;
      KillGroupOf(Number(name));
      kill(Number(name), SIGKILL);
    }
  }
}

}  // namespace pmproof::pmda
