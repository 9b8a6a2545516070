// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_CLIENT_ADAPTER_H_
#define PMPROOF_VALIDATOR_TESTEE_CLIENT_ADAPTER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace pmproof::validator {

// How an adapter is started, and how patient one is with it. A value.
struct AdapterCommand {
  std::vector<std::string> words;  // found by the PATH of a clean environment, no shell
  // Nothing of this process's environment gets in. Beside PATH, TZ, LC_ALL and a HOME that is not
  // there it has these, NAME=VALUE.
  std::vector<std::string> variables{};
  std::chrono::milliseconds start{60'000};   // for the answer to hello
  std::chrono::milliseconds answer{60'000};  // for each other one, to the end of its line
  std::size_t longest_line = std::size_t{256} << 20;
};

// What an adapter says of itself.
struct AdapterHello {
  std::string name;
  std::string version;
  std::string language;  // may be empty
  std::vector<std::string> capabilities;

  bool Has(std::string_view operation) const;
};

// Why there is no answer, in the words of the protocol, and for people.
struct NoAnswer {
  enum class Kind : std::uint8_t {
    kCrash,     // the adapter ended
    kTimeout,   // no whole line came in time
    kProtocol,  // what came is no answer
  };
  Kind kind = Kind::kCrash;
  std::string text;  // "ended with exit status 1: NameError: ..."
};

// An adapter of an implementation: one end of the testee protocol (docs/commands/testee.md), below
// a guardian that ends it with all that it started (pmda::AgentProcess). It is started when it is
// first needed, and again when it died or had to be ended; three deaths at start are the end. A
// resource, used by one thread at a time.
class Adapter {
 public:
  explicit Adapter(AdapterCommand command);
  Adapter(Adapter&&) noexcept;
  Adapter& operator=(Adapter&&) noexcept;
  ~Adapter();  // says bye

  // Unless it runs already. Error: it does not come to a right answer to hello (TST-101 to 103);
  // after that no other start is tried.
  tl::expected<void, NoAnswer> Start();
  // Of the last start; empty before.
  const AdapterHello& hello() const;

  // Sends the line of a request, with its end. What the adapter does not take now is sent while
  // Receive() waits. Starts it first if it does not run: Receive() says what came of that.
  void Send(std::string line);
  // The line that answers it, without its end. Whatever else comes of it ends the adapter.
  tl::expected<std::string, NoAnswer> Receive();

  // Ends it now, since it is out of step; a request that was sent is lost.
  void Drop();

 private:
  class Running;
  tl::expected<std::unique_ptr<Running>, NoAnswer> TryStart();

  AdapterCommand command_;
  AdapterHello hello_;
  std::unique_ptr<Running> running_;
  tl::expected<void, NoAnswer> failed_{};  // an error once it is given up
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_CLIENT_ADAPTER_H_
