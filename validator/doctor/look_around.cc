// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "validator/doctor/doctor.h"
#include "validator/text/json_text.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestDetail = 100;
constexpr std::size_t kMostPeers = 100;
constexpr std::size_t kLargestRecord = std::size_t{1} << 20;

// That the suite and the fleet are started by.
constexpr const char* kSystemPython = "/usr/bin/python3";

// Where collectors are that is not in PATH.
constexpr const char* kDaemonFolders[] = {"/usr/libexec/pcp/bin", "/usr/lib/pcp/bin"};

std::string FirstLine(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), kLongestDetail));
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

class Look {
 public:
  explicit Look(const Surroundings& surroundings) : around_(surroundings) {}

  std::vector<Companion> All() {
    LookForZones();
    LookForTools();
    LookForCollector();
    const Python system = Ask(kSystemPython);
    AddModules(
        {"pcp-python", "PCP's Python binding",
         "suite run pcp:/, suite rules diff with pcp:/ as a side", "apt-get install python3-pcp"},
        {"pcp"}, system);
    LookForSuite();
    AddModules({"suite-python", "Python of the suite", "pmproof-suite",
                "apt-get install python3-jinja2 python3-jsonschema"},
               {"jinja2", "jsonschema"}, system);
    AddModules({"fleet-python", "Python of the fleet", "fleet check, over several machines",
                "apt-get install python3-distributed python3-xxhash python3-cryptography"},
               {"distributed", "xxhash", "cryptography"}, system);
    const std::string found = around_.Find("python3");
    const Python own = found == kSystemPython ? system : Ask(found);
    AddModules({"python-package", "pmproof for Python", "pmproof.check(), pmproof.replay()",
                "pip install pmproof-*.whl"},
               {"pmproof"}, own);
    AddModules({"pytest", "pytest", "the fixture pmproof_archive of pmproof for Python",
                "apt-get install python3-pytest"},
               {"pytest"}, own);
    AddModules({"pandas", "pandas", "tables of pmproof.replay()", "apt-get install python3-pandas"},
               {"pandas"}, own);
    LookForPeers();
    LookForBrowser(system);
    return std::move(found_);
  }

 private:
  void Add(Companion companion, bool there, std::string detail) {
    companion.there = there;
    companion.detail = std::move(detail);
    found_.push_back(std::move(companion));
  }

  void LookForZones() {
    std::error_code error;
    Add({"time-zones", "time zones", "rules on the zone of an archive, --zone",
         "apt-get install tzdata"},
        fs::is_directory(around_.zones, error), around_.zones);
  }

  // By what pmval says of itself: on standard error in the versions that are known.
  void LookForTools() {
    const Companion tools{"pcp-tools", "PCP's tools", "suite run tool:/, text to compare",
                          "apt-get install pcp"};
    const std::string pmval = around_.Find("pmval");
    if (pmval.empty()) return Add(tools, false, "");
    const auto printed = RunBriefly(around_, {pmval, "--version"});
    constexpr std::string_view kBefore = "pmval version ";
    std::string said = printed ? FirstLine(printed->output + printed->error) : "";
    if (!said.starts_with(kBefore)) return Add(tools, false, pmval + " does not say its version");
    Add(tools, true, said.substr(kBefore.size()) + ", " + pmval);
  }

  void LookForCollector() {
    Surroundings daemons = around_;
    daemons.path.insert(daemons.path.end(), std::begin(kDaemonFolders), std::end(kDaemonFolders));
    const std::string pmcd = daemons.Find("pmcd");
    Add({"pmcd", "PCP's collector", "collector check of it; any other is checked without",
         "apt-get install pcp"},
        !pmcd.empty(), pmcd);
  }

  void LookForSuite() {
    const Companion suite{"suite", "the suite",
                          "any implementation through the golden cases, and more",
                          "apt-get install ./pmproof-suite_*.deb, or qa/suite/suite of the source"};
    Surroundings near = around_;
    if (!around_.program.empty()) {
      near.path.push_back(fs::path(around_.program).parent_path().string());
    }
    std::string command = near.Find("pmproof-suite");
    std::error_code error;
    if (command.empty() && fs::is_regular_file("qa/suite/suite", error)) command = "qa/suite/suite";
    Add(suite, !command.empty(), command);
  }

  struct Python {
    std::string path;     // empty: there is none
    std::string version;  // empty: it does not run
    std::set<std::string> modules;
  };

  // Which of all modules that matter it has, by one start of it.
  Python Ask(const std::string& path) const {
    static constexpr const char* kAsk =
        "import importlib.util as u, sys\n"
        "print('%d.%d' % sys.version_info[:2])\n"
        "for m in sys.argv[1:]:\n"
        "    if u.find_spec(m): print(m)\n";
    Python python;
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) return python;
    python.path = path;
    const auto printed =
        RunBriefly(around_, {path, "-I", "-c", kAsk, "pcp", "jinja2", "jsonschema", "distributed",
                             "xxhash", "cryptography", "pmproof", "pytest", "pandas", "selenium"});
    if (!printed) return python;
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < printed->output.size();) {
      const std::size_t end = std::min(printed->output.find('\n', begin), printed->output.size());
      lines.push_back(printed->output.substr(begin, end - begin));
      begin = end + 1;
    }
    if (lines.empty()) return python;
    python.version = lines.front().substr(0, kLongestDetail);
    python.modules.insert(lines.begin() + 1, lines.end());
    return python;
  }

  void AddModules(const Companion& companion, const std::vector<std::string>& modules,
                  const Python& python) {
    if (python.path.empty()) return Add(companion, false, "there is no python3");
    if (python.version.empty()) return Add(companion, false, python.path + " does not run");
    std::vector<std::string> missing;
    std::ranges::remove_copy_if(modules, std::back_inserter(missing), [&](const std::string& one) {
      return python.modules.contains(one);
    });
    const std::string of = " of " + python.path + " (" + python.version + ")";
    if (missing.empty()) return Add(companion, true, Joined(modules) + of);
    Add(companion, false, "no " + Joined(missing) + of);
  }

  void LookForPeers() {
    const Companion peers{"peers", "versions of PCP in folders",
                          "suite run pcp:6.0.3 and tool:6.0.3; tests that compare with PCP",
                          "qa/peers/peers fetch all, in the source"};
    if (around_.peers.empty() && around_.home.empty()) return Add(peers, false, "there is no HOME");
    const fs::path folder = around_.peers.empty() ? fs::path(around_.home) / ".cache/pmproof/peers"
                                                  : fs::path(around_.peers);
    std::error_code error;
    std::vector<std::string> versions;
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end && versions.size() < kMostPeers; entry.increment(error)) {
      if (auto version = VersionIn(entry->path() / "peer.json"); !version.empty()) {
        versions.push_back(std::move(version));
      }
    }
    std::ranges::sort(versions);
    if (versions.empty()) return Add(peers, false, "none in " + folder.string());
    Add(peers, true, Joined(versions) + " in " + folder.string());
  }

  static std::string VersionIn(const fs::path& record) {
    std::error_code error;
    const auto size = fs::file_size(record, error);
    if (error || size > kLargestRecord) return "";
    std::ifstream file(record, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const Json json = ParseOrderedJson(text);
    const auto version = json.is_object() ? json.find("version") : json.end();
    if (!json.is_object() || version == json.end() || !version->is_string()) return "";
    return version->get<std::string>().substr(0, kLongestDetail);
  }

  void LookForBrowser(const Python& python) {
    const Companion browser{"browser", "a browser without a window", "tests of pages, screenshots",
                            "apt-get install chromium chromium-driver python3-selenium"};
    std::vector<std::string> missing;
    for (const char* const name : {"chromium", "chromedriver"}) {
      if (around_.Find(name).empty()) missing.emplace_back(name);
    }
    if (!python.modules.contains("selenium")) missing.emplace_back("Python's selenium");
    if (!missing.empty()) return Add(browser, false, "no " + Joined(missing));
    Add(browser, true, around_.Find("chromium"));
  }

  const Surroundings& around_;
  std::vector<Companion> found_;
};

}  // namespace

std::vector<Companion> LookAround(const Surroundings& surroundings) {
  return Look(surroundings).All();
}

}  // namespace pmproof::validator
