#ifndef PMPROOF_VALIDATOR_SYNTHESIS_INTERRUPTION_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_INTERRUPTION_H_

namespace pmproof::validator {

// While one of these lives, the user's wish to stop (SIGINT, SIGTERM, SIGHUP) is noted instead of
// ending the program at once, so that nothing half-written is left behind. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool wished() const;

  // Ends the program as the signal would have done, if there was one.
  void Obey();

 private:
  void Restore();
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_INTERRUPTION_H_
