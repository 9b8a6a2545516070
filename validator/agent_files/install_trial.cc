// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_files/install_trial.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "reference/pmda/names/text_file.h"
#include "reference/pmda/transport/leftover_files.h"
#include "validator/agent_files/fake_files.h"

namespace pmproof::validator::agent_files {
namespace {

namespace fs = std::filesystem;
using agent::Unchecked;
using agent::VerdictOr;

constexpr std::size_t kMostEntries = 20000;          // of a folder that is copied, and of a state
constexpr std::uintmax_t kMostBytes = 256U << 20;    // of a folder that is copied
constexpr std::uintmax_t kCompared = 1U << 20;       // bytes of a file
constexpr std::uintmax_t kMostCompared = 64U << 20;  // of all files

// What the private root has in place of programs that would change the host, or ask a pmcd.
constexpr std::array kFakes = {
    "chgrp",   "chown",     "dbpmda",  "getenforce", "invoke-rc.d", "killall",   "newhelp",
    "pminfo",  "pmcd_wait", "pmlc",    "pmnsadd",    "pmnsdel",     "pmnsmerge", "pmpost",
    "pmprobe", "pmsignal",  "pmstore", "pmval",      "restorecon",  "runuser",   "semodule",
    "service", "setsebool", "su",      "sudo",       "systemctl",   "useradd",   "usermod"};

// An access section stands at the end, so that lines that are only appended are seen to be lost.
constexpr std::string_view kConf =
    "# Agents.\n"
    "pmproof_other 510 pipe binary /bin/true -d 510\n"
    "\n"
    "[access]\n"
    "disallow \".*\" : store;\n"
    "disallow \":*\" : store;\n"
    "allow \"local:*\" : all;\n";

void Write(const fs::path& path, std::string_view text, bool executable = false) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream(path, std::ios::binary) << text;
  if (executable) fs::permissions(path, fs::perms(0755), ignored);
}

std::string_view FakeFile(std::string_view name) {
  for (const EmbeddedFile& file : fake_files()) {
    if (fs::path(file.path).filename() == name) return file.content;
  }
  return "";
}

// Whether a link leads to something that is not below the folder, such as the files of Debian's
// packages, whose folders of agents have nothing but links.
bool LeadsOutside(const fs::path& link, const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  if (error) return false;  // it leads nowhere
  return target.lexically_relative(fs::canonical(folder, error)).string().starts_with("..");
}

// Empty, or why the folder is not copied. Links that lead outside become what they lead to.
std::string CopyFolder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  std::size_t entries = 0;
  std::uintmax_t bytes = 0;
  fs::recursive_directory_iterator at(from, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path target = to / at->path().lexically_relative(from);
    fs::file_status status = at->symlink_status(error);
    if (error) break;
    if (++entries > kMostEntries) return "the folder has more than 20000 files";
    if (fs::is_symlink(status)) {
      if (!LeadsOutside(at->path(), from)) {
        fs::copy_symlink(at->path(), target, error);
        if (error) break;
        continue;
      }
      status = at->status(error);
    }
    if (fs::is_directory(status)) {
      // What a link to a folder has in it is not the agent's.
      fs::create_directory(target, error);
    } else if (fs::is_regular_file(status)) {
      bytes += fs::file_size(at->path(), error);
      if (bytes > kMostBytes) return "the folder has more than 256 MiB";
      if (!error) fs::copy_file(at->path(), target, error);
    } else {
      return at->path().string() + " is neither a file nor a folder nor a link";
    }
    if (error) break;
  }
  return error ? from.string() + " cannot be copied: " + error.message() : "";
}

// The error: there is too much of it.
VerdictOr<RootState> StateOf(const fs::path& root) {
  RootState state;
  std::error_code error;
  std::uintmax_t compared = 0;
  fs::recursive_directory_iterator at(root, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (state.size() >= kMostEntries) return Unchecked("the scripts leave more than 20000 files");
    const std::string name = at->path().lexically_relative(root).string();
    const fs::file_status status = at->symlink_status(error);
    std::string& what = state[name];
    if (fs::is_directory(status)) {
      what = "folder";
    } else if (fs::is_symlink(status)) {
      what = "link:" + fs::read_symlink(at->path(), error).string();
    } else if (fs::is_regular_file(status)) {
      const std::uintmax_t size = fs::file_size(at->path(), error);
      const bool read = size <= kCompared && compared + size <= kMostCompared;
      const auto text = read ? pmda::ReadTextFile(at->path())
                             : tl::expected<std::string, std::string>(tl::unexpect, "");
      what = text ? "file:" + *text : "file of " + std::to_string(size) + " bytes";
      if (text) compared += size;
    } else {
      what = "special";
    }
    error.clear();
  }
  return state;
}

// A private root below a folder, and how a command is run in it.
class PrivateRoot {
 public:
  PrivateRoot(fs::path scratch, std::string name)
      : scratch_(std::move(scratch)), name_(std::move(name)) {}

  std::string Prepare(const Material& material) const {
    std::error_code ignored;
    for (const char* folder :
         {"root/etc/pcp/pmcd", "root/etc/default", "root/etc/init.d", "root/etc/alternatives",
          "root/var/lib/pcp/pmns", "root/var/lib/pcp/pmdas", "root/var/lib/pcp/tmp",
          "root/var/lib/pcp/config", "root/var/log/pcp/pmcd", "root/var/tmp", "root/etc/pcp/labels",
          "opt/log", "opt/bin", "opt/lib"}) {
      fs::create_directories(scratch_ / folder, ignored);
    }
    const fs::path root = scratch_ / "root";
    Write(root / kConfInRoot, kConf);
    Write(root / "etc/pcp.env", FakeFile("pcp.env"));
    Write(root / "etc/pcp.conf", FakeFile("pcp.env"));
    Write(root / "etc/passwd",
          "root:x:0:0:root:/:/bin/sh\npcp:x:998:998:PCP:/var/lib/pcp:/usr/sbin/nologin\n");
    Write(root / "etc/group", "root:x:0:\npcp:x:998:\n");
    Write(root / kNamesInRoot / "root", "root {\n\tpmproof_other\n}\n");
    Write(root / kNamesInRoot / "pmproof_other", "pmproof_other {\n\tone\t510:0:0\n}\n");
    if (material.domain && !material.symbol.empty()) {
      const std::string number = std::to_string(*material.domain);
      Write(root / kNamesInRoot / "stdpmid", "#define " + material.symbol + " " + number + "\n");
      Write(scratch_ / "opt/log/domain", material.symbol + " " + number + "\n");
    }
    Write(scratch_ / "opt/lib/pmdaproc.sh", FakeFile("pmdaproc.sh"));
    for (const char* fake : kFakes) Write(scratch_ / "opt/bin" / fake, FakeFile("record"), true);
    return CopyFolder(fs::absolute(material.folder), root / Folder());
  }

  std::string Folder() const { return "var/lib/pcp/pmdas/" + name_; }
  VerdictOr<RootState> State() const { return StateOf(scratch_ / "root"); }

  ScriptRun Run(const std::string& words, unsigned seconds) const {
    ScriptRun run{.words = words};
    pmda::AgentCommand command{.words = Command(words),
                               .streams = pmda::AgentCommand::Streams::kSocket};
    const auto deadline = pmda::Deadline::After(std::chrono::seconds(seconds));
    auto process = pmda::AgentProcess::Start(command, deadline);
    if (!process) {
      run.output = process.error().ToText();
      return run;
    }
    run.exit = process->WaitForExit(deadline);
    (void)process->End({.by_itself = std::chrono::milliseconds(0)});
    run.output = process->log().text;
    while (run.output.ends_with('\n')) run.output.pop_back();
    return run;
  }

  // Lines of a file that fakes have written, which is emptied.
  std::vector<std::string> Noted(const char* name) const {
    std::vector<std::string> lines;
    const auto text = pmda::ReadTextFile(scratch_ / "opt/log" / name);
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      lines.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::error_code ignored;
    fs::remove(scratch_ / "opt/log" / name, ignored);
    return lines;
  }

 private:
  std::vector<std::string> Command(const std::string& script) const {
    std::vector<std::string> words = {
        "bwrap", "--die-with-parent", "--unshare-all", "--uid", "0", "--gid",
        "0",     "--new-session",     "--clearenv"};
    const auto add = [&](std::initializer_list<std::string> more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    add({"--ro-bind", "/usr", "/usr"});
    std::error_code ignored;
    for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
      if (fs::is_symlink(folder, ignored)) {
        add({"--symlink", fs::read_symlink(folder, ignored).string(), folder});
      } else if (fs::exists(folder, ignored)) {
        add({"--ro-bind", folder, folder});
      }
    }
    const std::string scratch = scratch_.string();
    add({"--bind", scratch + "/root/etc", "/etc", "--bind", scratch + "/root/var", "/var"});
    // Programs such as awk are links to there.
    add({"--ro-bind-try", "/etc/alternatives", "/etc/alternatives"});
    add({"--ro-bind", scratch + "/opt", "/opt/pmproof", "--bind", scratch + "/opt/log",
         "/opt/pmproof/log"});
    add({"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--dir",
         "/run/pcp"});
    for (const auto& [name, value] :
         {std::pair("PATH", "/opt/pmproof/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
          std::pair("HOME", "/"), std::pair("LC_ALL", "C"), std::pair("PCP_DIR", ""),
          std::pair("PCP_CONF", "/etc/pcp.conf"), std::pair("PCP_SHARE_DIR", "/opt/pmproof")}) {
      add({"--setenv", name, value});
    }
    // No file of more than 64 MiB.
    add({"--chdir", "/" + Folder(), "--", "/bin/sh", "-c",
         "ulimit -f 131072; exec " + script + " </dev/null"});
    return words;
  }

  fs::path scratch_;
  std::string name_;
};

VerdictOr<InstallTrial> Make(const Material& material, unsigned seconds) {
  if (!material.install.there || !material.remove.there) {
    return Unchecked("there are not both Install and Remove");
  }
  if (!material.domain) return Unchecked("the domain is not known (CKA-200)");
  auto scratch = pmda::ScratchDirectory::Make();
  if (!scratch) return Unchecked(scratch.error().ToText());
  std::error_code ignored;
  const std::string name = fs::absolute(material.folder, ignored).filename().string();
  const PrivateRoot root(scratch->path(), name.empty() ? material.iam : name);
  if (const std::string why = root.Prepare(material); !why.empty()) return Unchecked(why);
  const ScriptRun nothing = root.Run("true", seconds);
  if (!nothing.well()) {
    return Unchecked("the scripts cannot be shut in, and are not run: " + nothing.ToText() +
                     " (needs bubblewrap, and user namespaces)");
  }
  InstallTrial trial{.folder = root.Folder()};
  const auto keep = [&](RootState* state) -> VerdictOr<void> {
    auto now = root.State();
    if (!now) return tl::make_unexpected(now.error());
    *state = std::move(*now);
    return {};
  };
  if (const auto kept = keep(&trial.before); !kept) return tl::make_unexpected(kept.error());
  trial.install = root.Run("./Install", seconds);
  for (const std::string& line : root.Noted("variables")) {
    const std::size_t equals = std::min(line.find('='), line.size() - 1);
    trial.variables[line.substr(0, equals)] = line.substr(equals + 1);
  }
  trial.calls = root.Noted("calls");
  if (const auto kept = keep(&trial.installed); !kept) return tl::make_unexpected(kept.error());
  if (!trial.install.well() || trial.declined()) return trial;
  for (const auto& [words, run, state] :
       {std::tuple("./Install", &trial.again, &trial.installed_again),
        std::tuple("./Remove", &trial.remove, &trial.removed)}) {
    *run = root.Run(words, seconds);
    if (const auto kept = keep(state); !kept) return tl::make_unexpected(kept.error());
    if (!(*run)->well()) break;
  }
  return trial;
}

}  // namespace

bool InstallTrial::declined() const {
  if (!install.well() || install.output.empty()) return false;
  const auto outside = [this](const RootState& state) {
    RootState rest = state;
    std::erase_if(rest, [this](const auto& entry) { return entry.first.starts_with(folder); });
    return rest;
  };
  return outside(before) == outside(installed);
}

std::string ScriptRun::ToText() const {
  std::string text = words + ": " + (exit ? exit->ToText() : "it did not end in time");
  if (!output.empty()) {
    constexpr std::size_t kShown = 300;
    text += ": " + output.substr(output.size() - std::min(output.size(), kShown));
  }
  return text;
}

const VerdictOr<InstallTrial>& InstallTrials::Get() {
  if (!made_) made_ = Make(material_, seconds_);
  return *made_;
}

}  // namespace pmproof::validator::agent_files
