#include "validator/synthesis/interruption.h"

#include <array>
#include <csignal>

namespace pmproof::validator {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler can reach nothing else.
volatile std::sig_atomic_t noted = 0;

extern "C" void Note(int signal) { noted = signal; }

}  // namespace

Interruption::Interruption() {
  noted = 0;
  for (const int signal : kSignals) {
    // What is ignored (nohup) stays so.
    if (std::signal(signal, Note) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Interruption::~Interruption() { Restore(); }

void Interruption::Restore() {
  for (const int signal : kSignals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

bool Interruption::wished() const { return noted != 0; }

void Interruption::Obey() {
  if (noted == 0) return;
  Restore();
  std::raise(noted);
}

}  // namespace pmproof::validator
