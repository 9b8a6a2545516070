// SPDX-License-Identifier: Apache-2.0
// An adapter (docs/commands/testee.md) that answers replay.interp by a rule that is no rule: each
// metric m.N has, at each time, the value N, but not one that is asked for at an odd second. What
// it does wrong, its argument says:
//
//   wrong_adapter [HOW [WHEN]]      WHEN: from which request on, counted from 1

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace {

using Json = nlohmann::json;

struct Adapter {
  std::string how;
  int from = 1;
  int requests = 0;

  bool Is(const std::string& wrong) const { return how == wrong && requests >= from; }

  Json Hello() const {
    Json capabilities = {"replay.interp"};
    if (how == "incapable") capabilities = {"value.format"};
    return {{"ok", how != "refusing"},
            {"protocol", 1},
            {"implementation", {{"name", "wrong"}, {"version", "0.1"}, {"language", "C++"}}},
            {"capabilities", capabilities}};
  }

  Json Value(const std::string& metric) const {
    return {{"instance", nullptr},
            {"type", Is("type") ? "string" : "u32"},
            {"value", Is("number") ? "twelve" : metric.substr(2)}};
  }

  Json Metric(const std::string& name, long second) const {
    Json values = Json::array();
    if (second % 2 == 0) values.push_back(Value(name));
    if (Is("too_many_values")) values = Json(1000, Value(name));
    return {{"metric", Is("name") ? "other" : name}, {"status", 0}, {"values", values}};
  }

  Json Result(const Json& args) const {
    Json fetches = Json::array();
    const double start = std::stod(args.at("start").get<std::string>());
    const double interval = std::stod(args.at("interval").get<std::string>());
    const int count = args.at("count").get<int>() - (Is("few") ? 1 : 0) + (Is("many") ? 1 : 0);
    for (int i = 0; i < count; ++i) {
      const long second = static_cast<long>(start + i * interval + 0.5) + (Is("late") ? 1 : 0);
      Json metrics = Json::array();
      for (const std::string name : args.at("metrics")) metrics.push_back(Metric(name, second));
      fetches.push_back(
          {{"time", std::to_string(second) + ".000000000"}, {"status", 0}, {"metrics", metrics}});
    }
    return {{"fetches", fetches}};
  }

  Json Answer(const Json& request) {
    const Json& args = request.at("args");
    if (how == "skips_m.2") {
      for (const std::string name : args.at("metrics")) {
        if (name == "m.2") return {{"skip", {{"reason", "no m.2 here"}}}};
      }
    }
    if (Is("skip")) return {{"skip", {{"reason", "not today"}, {"issue", ""}}}};
    if (Is("reject")) return {{"reject", {{"class", "replay.refused"}}}};
    if (Is("error")) return {{"error", {{"context", "it failed"}}}};
    if (Is("child")) return {{"error", {{"context", "signal 11"}, {"outcome", "crash"}}}};
    return {{"result", Result(args)}};
  }

  // What is wrong beside the answer's content.
  void Misbehave() const {
    if (Is("dies")) {
      std::cerr << "first line\nNameError: no such thing\n";
      std::exit(3);
    }
    if (Is("crashes")) std::raise(SIGKILL);
    if (Is("silent")) std::this_thread::sleep_for(std::chrono::hours(1));
    if (Is("half")) {
      std::cout << "{\"seq\":" << std::flush;
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
    if (Is("half_then_dies")) {
      std::cout << "{\"seq\":" << std::flush;
      std::exit(0);
    }
    if (Is("floods")) {
      const std::string much(1 << 16, 'x');
      while (std::cout << much) {
      }
      std::exit(1);
    }
    if (Is("no_json")) std::cout << "nothing to see" << std::endl;
    if (Is("other_seq")) std::cout << R"({"seq":"other","result":{"fetches":[]}})" << std::endl;
    if (Is("deep")) std::cout << std::string(100'000, '[') << std::endl;
  }

  int Run() {
    if (how == "leaves_a_child" && fork() == 0) {
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
    if (how == "dies_at_start") {
      std::cerr << "no library\n";
      return 1;
    }
    if (how == "silent_at_start") std::this_thread::sleep_for(std::chrono::hours(1));
    for (std::string line; std::getline(std::cin, line);) {
      const Json request = Json::parse(line);
      if (request.at("cmd") == "bye") return 0;
      if (request.at("cmd") == "hello") {
        std::cout << Hello().dump() << std::endl;
        continue;
      }
      ++requests;
      Misbehave();
      Json answer = Answer(request);
      answer["seq"] = request.at("seq");
      std::cout << answer.dump() << std::endl;
      if (Is("twice")) std::cout << answer.dump() << std::endl;
    }
    return 0;
  }
};

}  // namespace

int main(int argc, char** argv) {
  Adapter adapter;
  if (argc > 1) adapter.how = argv[1];
  if (argc > 2) adapter.from = std::atoi(argv[2]);
  return adapter.Run();
}
