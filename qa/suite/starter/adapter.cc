// SPDX-License-Identifier: Apache-2.0
// A starter: an adapter to the suite in C++, with one operation, value.format, and of that one
// style, pmid.
//
//   g++ -std=c++17 -O1 -o adapter adapter.cc        (Debian: nlohmann-json3-dev)
//
// Copy it, put your implementation behind Run(), and grow from there: qa/suite/README.md.
#include <cstdint>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

using Json = nlohmann::json;

// What this implementation does not do.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An input that is refused: its class, such as "label.magic".
struct Reject : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json ValueFormat(const Json& args) {
  if (args.at("style") != "pmid") throw Skip("no style " + args.at("style").dump());
  const auto number = static_cast<uint32_t>(std::stoul(args.at("value").get<std::string>()));
  const std::string domain = std::to_string(number >> 22 & 0x1FF);
  const std::string cluster = std::to_string(number >> 10 & 0xFFF);
  const std::string item = std::to_string(number & 0x3FF);
  if (number == 0xFFFFFFFF) return {{"text", "PM_ID_NULL"}};  // MET-132
  if (domain == "511" && item == "0") return {{"text", cluster + ".*.*"}};
  return {{"text", domain + "." + cluster + "." + item}};
}

// One of result, reject, skip and error.
Json Run(const Json& request) {
  const std::string operation = request.at("op");
  try {
    if (operation == "value.format") return {{"result", ValueFormat(request.at("args"))}};
    return {{"skip", {{"reason", "no operation " + operation}}}};
  } catch (const Skip& skip) {
    return {{"skip", {{"reason", skip.what()}}}};
  } catch (const Reject& reject) {
    return {{"reject", {{"class", reject.what()}}}};
  } catch (const std::exception& error) {
    return {{"error", {{"context", error.what()}}}};
  }
}

Json Hello() {
  return {{"ok", true},
          {"protocol", 1},
          {"implementation", {{"name", "starter"}, {"version", "0.1"}, {"language", "C++"}}},
          {"capabilities", {"value.format"}},
          {"rules", Json::array()},  // of interpolation: there is no replay.interp yet
          {"dialects", {"7.2.2"}}};  // the PCP version whose answers these are; leave it out if
                                     // you can be told which
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    const std::string command = request.value("cmd", "");
    Json answer;
    if (command == "bye") return 0;
    if (command == "hello") {
      answer = request.value("protocol", 0) == 1 ? Hello() : Json{{"ok", false}, {"protocol", 1}};
    } else {
      answer =
          command == "run" ? Run(request) : Json{{"error", {{"context", "no command " + command}}}};
      answer["seq"] = request.value("seq", Json());
    }
    std::cout << answer.dump() << std::endl;  // one line, at once; all else goes to stderr
  }
}
