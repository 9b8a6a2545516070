#include "reference/replay/examples/nearest_within.h"
#include "validator/cli/program.h"

// pmproof with one more interpolation profile, as docs/commands/rules.md shows it.

int main(int argc, char** argv) {
  using namespace pmproof;
  return validator::RunProgram(argc, argv, [](replay::CounterWrap wrap) {
    std::vector<replay::Profile> profiles = replay::NamedProfiles(wrap);
    profiles.push_back(replay::NearestWithin(2));
    return profiles;
  });
}
