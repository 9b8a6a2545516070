// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_OUTPUT_INTERRUPTION_H_
#define PMPROOF_VALIDATOR_OUTPUT_INTERRUPTION_H_

namespace pmproof::validator {

// While one of these lives, SIGINT, SIGTERM and SIGHUP leave nothing half-written. Before Defer()
// they end the program, which says that nothing was written. After it they are only noted; whoever
// writes asks wished() now and then, cleans up and calls Obey(). One at a time. Signals that were
// ignored before (nohup) stay ignored.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // From here on files are written.
  void Defer();

  bool wished() const;

  // Ends the program as the signal would have done, if there was one.
  void Obey();
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_OUTPUT_INTERRUPTION_H_
