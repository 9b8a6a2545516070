// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/client/adapter.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "reference/core/bytes.h"
#include "reference/pmda/transport/agent_process.h"
#include "reference/pmda/transport/transfer.h"
#include "validator/text/display.h"
#include "validator/text/json_text.h"

namespace pmproof::validator {
namespace {

using Kind = NoAnswer::Kind;
using Json = nlohmann::json;
using pmda::Deadline;
using pmda::Transfer;
using std::chrono::milliseconds;

constexpr int kDeathsAtStart = 3;
constexpr milliseconds kTimeToExit{5000};  // of one that has closed its output
constexpr std::size_t kLongestWords = 200;
constexpr std::size_t kLongestName = 100;
constexpr std::size_t kMostCapabilities = 1000;
constexpr std::size_t kLongestHello = std::size_t{1} << 20;

std::string Cut(std::string text, std::size_t longest) {
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

// The last line that it wrote on standard error, as ": LINE".
std::string LastWords(std::string log) {
  const std::size_t end = log.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  log.resize(end + 1);
  const std::size_t before = log.rfind('\n');
  if (before != std::string::npos) log.erase(0, before + 1);
  return ": " + Cut(std::move(log), kLongestWords);
}

std::string SecondsText(milliseconds limit) {
  std::string text = std::to_string(static_cast<double>(limit.count()) / 1000);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return "";
  return Cut(found->get<std::string>(), kLongestName);
}

tl::expected<AdapterHello, NoAnswer> ReadHello(const std::string& line) {
  const auto wrong = [](const std::string& text) {
    return tl::unexpected(NoAnswer{Kind::kProtocol, "the answer to hello " + text});
  };
  if (line.size() > kLongestHello) return wrong("is longer than " + ByteSize(kLongestHello));
  const Json answer = ParseJson(line);
  if (!answer.is_object()) return wrong("is no JSON object");
  const auto ok = answer.find("ok");
  const auto protocol = answer.find("protocol");
  if (ok == answer.end() || *ok != true || protocol == answer.end() || *protocol != 1) {
    return wrong("does not say that it speaks protocol 1");
  }
  const auto implementation = answer.find("implementation");
  if (implementation == answer.end() || !implementation->is_object()) {
    return wrong("names no implementation");
  }
  AdapterHello hello{TextOf(*implementation, "name"),
                     TextOf(*implementation, "version"),
                     TextOf(*implementation, "language"),
                     {}};
  const auto capabilities = answer.find("capabilities");
  if (hello.name.empty() || capabilities == answer.end() || !capabilities->is_array() ||
      capabilities->size() > kMostCapabilities) {
    return wrong("lacks a name or capabilities");
  }
  for (const Json& one : *capabilities) {
    if (one.is_string()) hello.capabilities.push_back(one.get<std::string>());
  }
  return hello;
}

}  // namespace

bool AdapterHello::Has(std::string_view operation) const {
  return std::ranges::count(capabilities, operation) > 0;
}

// One process.
class Adapter::Running {
 public:
  Running(pmda::AgentProcess process, std::size_t longest_line)
      : process_(std::move(process)), longest_line_(longest_line) {}

  void Send(std::string line) {
    unsent_ += std::move(line);
    while (!unsent_.empty()) {
      const Transfer written = process_.transport()->Write(AsBytes(unsent_), Deadline::Passed());
      unsent_.erase(0, written.size);
      if (!written.moved()) return;  // reading tells whether it is dead
    }
  }

  tl::expected<std::string, NoAnswer> Receive(milliseconds limit) {
    std::size_t searched = 0;
    std::size_t end = come_.find('\n');
    if (end == std::string::npos) {
      searched = come_.size();
      const auto sink = [&](Bytes bytes) {
        come_ += AsText(bytes);
        end = come_.find('\n', searched);
        searched = come_.size();
        return end == std::string::npos && come_.size() <= longest_line_;
      };
      const std::string request = std::exchange(unsent_, {});
      const Transfer read =
          pmda::Exchange(*process_.transport(), AsBytes(request), sink, Deadline::After(limit))
              .read;
      if (end == std::string::npos && come_.size() <= longest_line_) {
        return tl::unexpected(read.outcome == Transfer::Outcome::kTimeout ? Silent(limit) : Dead());
      }
    }
    if (std::min(end, come_.size()) > longest_line_) {
      return tl::unexpected(
          NoAnswer{Kind::kProtocol, "a line is longer than " + ByteSize(longest_line_)});
    }
    std::string line = come_.substr(end + 1);
    line.swap(come_);
    line.resize(end);
    return line;
  }

  // It is to end; whether it says something meanwhile does not matter.
  void SayBye() {
    Send("{\"cmd\":\"bye\"}\n");
    process_.End();
  }

 private:
  NoAnswer Silent(milliseconds limit) const {
    if (come_.empty()) return {Kind::kTimeout, "silent for " + SecondsText(limit)};
    return {Kind::kTimeout, "no whole line within " + SecondsText(limit) + ", only " +
                                Plural(come_.size(), "byte") + " of one"};
  }

  NoAnswer Dead() {
    const auto exit = process_.WaitForExit(Deadline::After(kTimeToExit));
    return {Kind::kCrash, (exit ? "ended with " + exit->ToText() : "closed its output") +
                              (come_.empty() ? "" : " after half a line") +
                              LastWords(process_.log().text)};
  }

  pmda::AgentProcess process_;
  std::size_t longest_line_;
  std::string unsent_;
  std::string come_;  // behind the last line that was given
};

Adapter::Adapter(AdapterCommand command) : command_(std::move(command)) {}
Adapter::Adapter(Adapter&&) noexcept = default;
Adapter& Adapter::operator=(Adapter&&) noexcept = default;
Adapter::~Adapter() {
  if (running_) running_->SayBye();
}

const AdapterHello& Adapter::hello() const { return hello_; }

tl::expected<std::unique_ptr<Adapter::Running>, NoAnswer> Adapter::TryStart() {
  pmda::AgentCommand start;
  start.words = command_.words;
  start.environment = {"PATH=/bin:/usr/bin", "TZ=UTC", "LC_ALL=C", "HOME=/nonexistent"};
  start.environment->insert(start.environment->end(), command_.variables.begin(),
                            command_.variables.end());
  auto process = pmda::AgentProcess::Start(start, Deadline::After(command_.start));
  if (!process) return tl::unexpected(NoAnswer{Kind::kCrash, process.error().message});
  auto running = std::make_unique<Running>(std::move(*process), command_.longest_line);
  running->Send("{\"cmd\":\"hello\",\"protocol\":1}\n");
  const auto line = running->Receive(command_.start);
  if (!line) return tl::unexpected(line.error());
  auto hello = ReadHello(*line);
  if (!hello) return tl::unexpected(hello.error());
  hello_ = std::move(*hello);
  return running;
}

tl::expected<void, NoAnswer> Adapter::Start() {
  for (int deaths = 0; !running_ && failed_;) {
    auto started = TryStart();
    if (started) {
      running_ = std::move(*started);
      break;
    }
    NoAnswer why = std::move(started).error();
    // Who is silent had all the time that was given, and who says something wrong will say it
    // again.
    if (why.kind == Kind::kCrash && ++deaths < kDeathsAtStart) continue;
    why.text = "does not start: " + why.text;
    failed_ = tl::unexpected(std::move(why));
  }
  return failed_;
}

void Adapter::Send(std::string line) {
  if (Start()) running_->Send(std::move(line));
}

tl::expected<std::string, NoAnswer> Adapter::Receive() {
  if (!running_) {
    if (!failed_) return tl::unexpected(failed_.error());
    return tl::unexpected(NoAnswer{Kind::kCrash, "nothing was asked"});
  }
  auto line = running_->Receive(command_.answer);
  if (!line) running_.reset();
  return line;
}

void Adapter::Drop() { running_.reset(); }

}  // namespace pmproof::validator
