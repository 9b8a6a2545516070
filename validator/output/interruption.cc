// SPDX-License-Identifier: Apache-2.0
#include "validator/output/interruption.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace pmproof::validator {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing else. It runs in one thread, and another one asks.
std::atomic<int> noted{0};
std::atomic<bool> deferred{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Only functions that are safe in a signal handler are called.
extern "C" void OnSignal(int signal) {
  if (deferred) {
    noted = signal;
    return;
  }
  static constexpr char kMessage[] = "\npmproof: interrupted; nothing was written\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // it is delivered when this returns
}

void Restore() {
  for (const int signal : kSignals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace

Interruption::Interruption() {
  noted = 0;
  deferred = false;
  for (const int signal : kSignals) {
    if (std::signal(signal, OnSignal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Interruption::~Interruption() { Restore(); }

void Interruption::Defer() { deferred = true; }

bool Interruption::wished() const { return noted != 0; }

void Interruption::Obey() {
  const int signal = noted;
  if (signal == 0) return;
  Restore();
  std::raise(signal);
}

}  // namespace pmproof::validator
