#include "validator/agent_script/runner.h"

#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "reference/core/descriptor_text.h"
#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "validator/agent_script/tables.h"
#include "validator/agent_script/values.h"

namespace pmproof::agent_script {
namespace {

std::string SystemText(int error) { return std::generic_category().message(error); }

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "[  0]", as printf's %3d.
std::string Index(std::size_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), ' ');
  return "[" + digits + "]";
}

template <typename Items, typename Text>
std::string Joined(const Items& items, Text text) {
  std::string joined;
  for (const auto& item : items) joined += " " + text(item);
  return joined;
}

const char* OnOff(bool on) { return on ? "on" : "off"; }

template <typename Body>
constexpr bool kIsRequest = std::is_same_v<Body, Describe> || std::is_same_v<Body, Fetch> ||
                            std::is_same_v<Body, ListInstances> || std::is_same_v<Body, ShowText> ||
                            std::is_same_v<Body, Store> || std::is_same_v<Body, LookUpName> ||
                            std::is_same_v<Body, LookUpPmid> || std::is_same_v<Body, ShowLabels> ||
                            std::is_same_v<Body, SendAttribute>;

}  // namespace

Runner::Runner(Options options, std::ostream& out, std::ostream& err,
               std::function<std::string()> place)
    : options_(std::move(options)),
      out_(out),
      err_(err),
      place_(std::move(place)),
      debug_(DebugOptionCount()) {}

bool Runner::Run(const Command& command) {
  if (std::holds_alternative<Quit>(command)) return false;
  const auto begin = std::chrono::steady_clock::now();
  std::visit(
      [&](const auto& body) {
        if constexpr (kIsRequest<std::decay_t<decltype(body)>>) {
          if (!Opened()) return;
          On(body);
          if (!timer_) return;
          const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
          char text[64];
          std::snprintf(text, sizeof text, "Timer: %f seconds\n", taken.count());
          out_ << text;
        } else {
          On(body);
        }
      },
      command);
  out_.flush();
  return true;
}

std::ostream& Runner::Trouble() { return err_ << place_(); }

bool Runner::Opened() {
  if (agent_ == nullptr) Trouble() << "Warning: No PMDA currently opened\n";
  return agent_ != nullptr;
}

// --- opening

bool Runner::Adopt(Result<std::unique_ptr<Connection>> opened, const std::string& what) {
  if (!opened) {
    broken_ = true;
    const int error = -static_cast<int>(opened.error().code);
    Trouble() << what << ": " << (error > 0 ? SystemText(error) : opened.error().ToText()) << '\n';
    return false;
  }
  CloseAgent();
  agent_ = std::move(*opened);
  profile_sent_ = false;
  return true;
}

void Runner::On(const OpenPipe& command) {
  const std::string& path = command.words[0];
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    broken_ = true;
    Trouble() << "openpmda: stat " << path << " failed: " << SystemText(errno) << '\n';
    return;
  }
  out_ << "Start " << BaseName(path) << " PMDA: " << path;
  for (std::size_t i = 1; i < command.words.size(); ++i) out_ << ' ' << command.words[i];
  out_ << '\n';
  if (!Adopt(Connection::Start(command.words, path, Connection::Kind::kDaemon, options_.patience),
             "openpmda")) {
    return;
  }
  if (const auto greeted = agent_->Greet(); !greeted) {
    broken_ = true;
    Trouble() << "Warning: no version exchange with PMDA " << path << ": "
              << greeted.error().ToText() << '\n';
  }
}

void Runner::On(const OpenDso& command) {
  struct stat status {};
  if (stat(command.file.c_str(), &status) != 0) {
    broken_ = true;
    Trouble() << "opendso: " << command.file << ": " << SystemText(errno) << '\n';
    return;
  }
  auto report = validator::HostReportFile::Create();
  if (!report) {
    broken_ = true;
    Trouble() << "opendso: " << report.error().ToText() << '\n';
    return;
  }
  auto opened = Connection::Start(
      validator::HostCommand(command.file + ":" + command.init, command.domain, report->path()),
      command.file, Connection::Kind::kDso, options_.patience);
  if (!opened || (*opened)->Greet()) {
    if (Adopt(std::move(opened), "opendso")) host_report_.emplace(std::move(*report));
    return;
  }
  // The agent before it stays.
  broken_ = true;
  err_ << (*opened)->Finish();
  const validator::HostReport facts = report->Read();
  if (facts.load && facts.load->loaded && !facts.load->init_found) {
    out_ << "Error: couldn't find init function \"" << command.init << "\" in DSO \""
         << command.file << "\"\n";
    return;
  }
  Trouble() << "opendso: " << command.file << ": "
            << (facts.init                          ? facts.init->refused
                : facts.load && !facts.load->loaded ? facts.load->problem
                                                    : "init did not return")
            << '\n';
}

void Runner::On(const OpenSocket& command) {
  using Kind = OpenSocket::Kind;
  const std::string port = std::to_string(command.port);
  const pmda::Address address = command.kind == Kind::kUnix   ? pmda::Address::Unix(command.path)
                                : command.kind == Kind::kInet ? pmda::Address::Inet(command.port)
                                                              : pmda::Address::Inet6(command.port);
  const std::string name = command.kind == Kind::kUnix
                               ? command.path
                               : (command.kind == Kind::kInet ? "inet port " : "ipv6 port ") + port;
  if (!Adopt(Connection::Connect(address, name, options_.patience),
             "opensocket: " + (command.kind == Kind::kUnix ? name : "connect"))) {
    return;
  }
  out_ << "Connect to PMDA on " << (command.kind == Kind::kUnix ? "socket " : "") << name << '\n';
  if (const auto greeted = agent_->Greet(); !greeted) {
    broken_ = true;
    Trouble() << "Warning: no version exchange with PMDA " << name << ": "
              << greeted.error().ToText() << '\n';
  }
}

void Runner::On(const Close&) {
  if (Opened()) CloseAgent();
}

void Runner::CloseAgent() {
  if (agent_ == nullptr) return;
  out_.flush();
  err_ << agent_->Finish();
  agent_.reset();
}

// --- asking

void Runner::Fail(const pmda::SessionFailure& failure, const char* sender) {
  using Kind = pmda::SessionFailure::Kind;
  broken_ = true;
  switch (failure.kind) {
    case Kind::kTimeout:
      silent_ = true;
      out_ << "Error: __pmGetPDU() failed: " << ErrorText(pdu::kErrTimeout) << '\n';
      return;
    case Kind::kEndOfFile:
      silent_ = true;
      out_ << "Error: __pmGetPDU() failed: PDU empty, PMDA may have died\n";
      return;
    case Kind::kBroken:
    case Kind::kUnsendable:
      out_ << "Error: __pmSend" << sender << "() failed: " << failure.ToText() << '\n';
      return;
    case Kind::kFraming:
    case Kind::kDecoding:
      out_ << "Error: __pmGetPDU() failed: " << ErrorText(failure.error.code) << '\n';
      Trouble() << failure.ToText() << '\n';
  }
}

template <typename Body>
std::optional<Body> Runner::Ask(const pdu::Body& request, const char* sender,
                                const char* function) {
  const auto answer = agent_->Ask(request);
  if (!answer) {
    Fail(answer.error(), sender);
    return std::nullopt;
  }
  if (const auto* body = std::get_if<Body>(&answer->body)) return *body;
  if (const auto* error = std::get_if<pdu::Error>(&answer->body)) {
    if (agent_->is_dso()) {
      out_ << "Error: DSO " << function << "() failed: " << ErrorText(error->code) << '\n';
    } else {
      out_ << "Error PDU: " << ErrorText(error->code) << '\n';
    }
    return std::nullopt;
  }
  broken_ = true;
  out_ << "Error: unexpected PDU " << pdu::ToText(pdu::TypeOf(answer->body)) << '\n';
  return std::nullopt;
}

bool Runner::SendProfile() {
  if (profile_sent_) return true;
  std::vector<pdu::ProfileEntry> entries;
  for (const ScriptProfile::Entry& entry : profile_.entries()) {
    entries.push_back({.indom = entry.indom,
                       .state = entry.excludes ? pdu::kExclude : pdu::kInclude,
                       .instances = entry.instances});
  }
  const auto sent = agent_->Send(pdu::Profile{
      .state = profile_.excludes() ? pdu::kExclude : pdu::kInclude, .entries = entries});
  if (!sent) Fail(sent.error(), "Profile");
  profile_sent_ = sent.has_value();
  return profile_sent_;
}

std::optional<Descriptor> Runner::AskDescriptor(Pmid pmid) {
  const auto answer = Ask<pdu::Desc>(pdu::DescReq{pmid}, "DescReq", "desc");
  if (!answer) return std::nullopt;
  return answer->descriptor;
}

// The views hold until the next call, whatever else is asked in between.
std::optional<pdu::Result> Runner::AskValues(const std::vector<Pmid>& pmids) {
  if (!Ask<pdu::Result>(pdu::Fetch{.pmids = pmids}, "Fetch", "fetch")) return std::nullopt;
  const Bytes bytes = agent_->received();
  kept_.assign(bytes.begin(), bytes.end());
  return std::get<pdu::Result>(decoder_.Decode(kept_)->body);
}

void Runner::On(const Describe& command) {
  out_ << "PMID: " << ToText(command.pmid) << '\n';
  if (const auto descriptor = AskDescriptor(command.pmid)) {
    out_ << DescriptorText(*descriptor, PcpVersion::k7_2);
  }
}

void Runner::On(const Fetch& command) {
  out_ << "PMID(s):" << Joined(command.pmids, [](Pmid pmid) { return ToText(pmid); }) << '\n';
  std::vector<Descriptor> descriptors;
  if (getdesc_ || getiname_) {
    for (const Pmid pmid : command.pmids) {
      const auto descriptor = AskDescriptor(pmid);
      if (!descriptor) return;
      descriptors.push_back(*descriptor);
    }
  }
  if (!SendProfile()) return;
  const auto result = AskValues(command.pmids);
  if (!result) return;
  // A daemon's answer is dumped by another function than what a shared object returns (PMD-416).
  char time[96];
  const std::time_t seconds = result->seconds;
  std::tm local{};
  localtime_r(&seconds, &local);
  if (agent_->is_dso()) {
    std::snprintf(time, sizeof time,
                  "pmResult dump from 0x0 timestamp: %d.%06d %02d:%02d:%02d.%03d", result->seconds,
                  result->microseconds, local.tm_hour, local.tm_min, local.tm_sec,
                  result->microseconds / 1000);
  } else {
    std::snprintf(time, sizeof time,
                  "__pmResult dump from 0x0 timestamp: %d.%09d %02d:%02d:%02d.%09d",
                  result->seconds, result->microseconds * 1000, local.tm_hour, local.tm_min,
                  local.tm_sec, result->microseconds * 1000);
  }
  out_ << time << " numpmid: " << result->sets.size() << '\n';
  for (std::size_t i = 0; i < result->sets.size(); ++i) {
    PrintValueSet(result->sets[i], i < descriptors.size() ? &descriptors[i] : nullptr);
  }
}

// All of them, the one defined last first.
std::string Runner::NameText(Pmid pmid) const {
  const std::vector<std::string> names = options_.names.NamesOf(pmid);
  if (names.empty()) return "<noname>";
  std::string text = names.back();
  for (auto name = names.rbegin() + 1; name != names.rend(); ++name) text += ", " + *name;
  return text;
}

void Runner::PrintValueSet(const pdu::ValueSet& set, const Descriptor* descriptor) {
  out_ << "  " << ToText(set.pmid) << " (" << NameText(set.pmid) << "): ";
  if (set.values.empty()) {
    out_ << (set.status == ErrorCode::kOk ? "No values returned!" : ErrorText(set.status)) << '\n';
    return;
  }
  out_ << "numval: " << set.values.size() << " valfmt: " << static_cast<int>(set.format)
       << " vlist[]:\n";
  for (const pdu::InstanceValue& value : set.values) {
    if (value.instance != kInstanceNull) {
      out_ << "    inst [" << value.instance << " or "
           << (getiname_ && descriptor != nullptr
                   ? InstanceNameText(descriptor->indom, value.instance)
                   : "???")
           << "]";
    } else {
      out_ << "  ";
    }
    std::optional<MetricType> type;
    if (descriptor != nullptr) type = descriptor->type;
    out_ << " value " << ValueText(value, set.format, type) << '\n';
  }
}

std::string Runner::InstanceNameText(Indom indom, std::int32_t instance) {
  const auto answer = agent_->Ask(pdu::InstanceReq{.indom = indom, .instance = instance});
  const auto* found = answer ? std::get_if<pdu::Instance>(&answer->body) : nullptr;
  if (found == nullptr || found->instances.empty()) return "???";
  return '"' + std::string(found->instances[0].name) + '"';
}

void Runner::On(const ListInstances& command) {
  out_ << "pmInDom: " << ToText(command.indom) << '\n';
  const auto answer = Ask<pdu::Instance>(
      pdu::InstanceReq{.indom = command.indom, .instance = command.instance, .name = command.name},
      "InstanceReq", "instance");
  if (!answer) return;
  for (std::size_t i = 0; i < answer->instances.size(); ++i) {
    const pdu::InstanceEntry& entry = answer->instances[i];
    out_ << Index(i);
    if (command.instance == kInstanceNull) out_ << " inst: " << entry.instance;
    if (command.name.empty()) out_ << " name: \"" << entry.name << '"';
    out_ << '\n';
  }
}

void Runner::On(const ShowText& command) {
  const auto* pmid = std::get_if<Pmid>(&command.of);
  const std::uint32_t identifier =
      pmid != nullptr ? pmid->value : std::get<Indom>(command.of).value;
  const std::uint32_t target = pmid != nullptr ? pdu::kTextPmid : pdu::kTextIndom;
  out_ << (pmid != nullptr ? "PMID: " + ToText(*pmid)
                           : "pmInDom: " + ToText(std::get<Indom>(command.of)))
       << '\n';
  for (const std::uint32_t form : {pdu::kTextOneLine, pdu::kTextHelp}) {
    const auto answer = Ask<pdu::Text>(pdu::TextReq{identifier, target | form}, "TextReq", "text");
    if (!answer) continue;
    if (form == pdu::kTextOneLine) {
      out_ << "[" << answer->text << "]\n";
    } else {
      out_ << answer->text << '\n';
    }
  }
}

void Runner::On(const Store& command) {
  out_ << "PMID: " << ToText(command.pmid) << "\nGetting description...\n";
  silent_ = false;
  const auto descriptor = AskDescriptor(command.pmid);
  if (!descriptor && !silent_) return;  // it goes on where there is no answer
  if (!profile_sent_) {
    out_ << "Sending Profile...\n";
    if (!SendProfile()) return;
  }
  out_ << "Getting Result Structure...\n";
  const auto result = AskValues({command.pmid});
  if (!result || !descriptor || result->sets.size() != 1) return;
  const pdu::ValueSet& old = result->sets[0];
  const auto value = ParseStoreValue(command.value, descriptor->type);
  if (!value) {
    out_ << value.error() << '\n';
    return;
  }
  if (old.values.empty()) {
    out_ << "Error: " << ToText(command.pmid)
         << (old.status == ErrorCode::kOk ? " not available!" : ": " + ErrorText(old.status))
         << '\n';
    return;
  }
  std::vector<pdu::InstanceValue> values;
  for (std::size_t i = 0; i < old.values.size(); ++i) {
    out_ << ToText(command.pmid);
    if (old.values.size() > 1) out_ << " [" << i << "]";
    out_ << ": " << ValueText(old.values[i], old.format, descriptor->type) << " -> " << value->text
         << '\n';
    values.push_back(value->At(old.values[i].instance, descriptor->type));
  }
  const pdu::ValueSet sets[] = {{.pmid = command.pmid, .format = value->format, .values = values}};
  if (!agent_->is_dso()) out_ << "Sending Result...\n";
  const auto answer = agent_->Ask(pdu::Result{.sets = sets});
  if (!answer) return Fail(answer.error(), "Result");
  const auto* error = std::get_if<pdu::Error>(&answer->body);
  if (error == nullptr) {
    broken_ = true;
    out_ << "Error: unexpected PDU " << pdu::ToText(pdu::TypeOf(answer->body)) << '\n';
  } else if (error->code != ErrorCode::kOk) {
    out_ << (agent_->is_dso() ? "Error: DSO store() failed: " : "Error PDU: ")
         << ErrorText(error->code) << '\n';
  }
}

void Runner::On(const LookUpName& command) {
  using What = LookUpName::What;
  out_ << "Metric: " << command.name << '\n';
  if (command.what == What::kPmid) {
    const pdu::PmnsName names[] = {{.name = command.name}};
    if (const auto found = Ask<pdu::PmnsIds>(pdu::PmnsNames{.names = names}, "IDList", "pmid")) {
      for (const Pmid pmid : found->pmids) out_ << "   " << ToText(pmid) << '\n';
    }
    return;
  }
  const bool children = command.what == What::kChildren;
  const auto found = children
                         ? Ask<pdu::PmnsNames>(pdu::PmnsChild{.subtype = 1, .name = command.name},
                                               "ChildReq", "children")
                         : Ask<pdu::PmnsNames>(pdu::PmnsTraverse{.name = command.name},
                                               "TraversePMNS", "children");
  if (!found) return;
  if (agent_->is_dso() && found->names.empty()) {
    out_ << "Warning: DSO children() returns 0\n";
  }
  for (const pdu::PmnsName& name : found->names) {
    if (children || agent_->is_dso()) {
      out_ << (name.status == pdu::kLeaf ? "       leaf " : "   non-leaf ") << name.name << '\n';
    } else {
      out_ << "   " << name.name << '\n';
    }
  }
}

void Runner::On(const LookUpPmid& command) {
  out_ << "PMID: " << ToText(command.pmid) << '\n';
  const Pmid pmids[] = {command.pmid};
  const auto found = Ask<pdu::PmnsNames>(pdu::PmnsIds{.pmids = pmids}, "IDList", "name");
  if (!found) return;
  for (const pdu::PmnsName& name : found->names) out_ << "   " << name.name << '\n';
}

void Runner::On(const ShowLabels& command) {
  const bool instances = command.of == LabelClass::kInstances;
  // The domain of a daemon is not known: it gets none (PMD-411).
  std::uint32_t identifier = command.identifier;
  switch (command.of) {
    case LabelClass::kContext:
      break;
    case LabelClass::kDomain:
      identifier = 0xffffffff;
      break;
    case LabelClass::kIndom:
      out_ << "pmInDom: " << ToText(Indom{identifier}) << '\n';
      break;
    case LabelClass::kCluster:
      out_ << "Cluster: " << Pmid{identifier}.domain() << '.' << Pmid{identifier}.cluster() << '\n';
      break;
    case LabelClass::kItem:
      out_ << "PMID: " << ToText(Pmid{identifier}) << '\n';
      break;
    case LabelClass::kInstances:
      out_ << "Instances of pmInDom: " << ToText(Indom{identifier}) << '\n';
      SendProfile();
      break;
  }
  const auto answer = Ask<pdu::Label>(
      pdu::LabelReq{identifier, static_cast<std::uint32_t>(command.of)}, "LabelReq", "label");
  if (!answer) return;
  if (answer->sets.empty()) {
    out_ << (agent_->is_dso() ? "Info: DSO label() returns 0\n"
                              : "Info: __pmDecodeLabel() returns 0 label sets\n");
  }
  for (std::size_t i = 0; i < answer->sets.size(); ++i) {
    const pdu::LabelSet& set = answer->sets[i];
    if (instances) out_ << Index(i) << ' ';
    out_ << "Labels" << (instances ? " inst: " + std::to_string(set.instance) : ":") << '\n';
    PrintLabels(set);
  }
}

void Runner::PrintLabels(const pdu::LabelSet& set) {
  if (set.status != ErrorCode::kOk) out_ << "Error: " << ErrorText(set.status) << '\n';
  for (const pdu::LabelEntry& label : set.labels) {
    out_ << "    " << set.Name(label) << '=' << set.Value(label) << '\n';
  }
}

void Runner::On(const SendAttribute& command) {
  out_ << "Attribute: " << NameOf(command.attribute).value_or("?") << '='
       << (command.value.empty() ? "''" : command.value) << '\n';
  const std::string value = command.value.empty() ? "" : command.value + '\0';
  const auto sent = agent_->Send(pdu::Attr{command.attribute, value});
  if (!sent) return Fail(sent.error(), "Auth");
  out_ << "Success\n";
}

// --- local commands

void Runner::On(const ChangeProfile& command) {
  profile_.Change(command);
  profile_sent_ = false;
}

void Runner::On(const ShowStatus&) {
  out_ << "\nNamespace:              "
       << (options_.names_file.empty() ? "(default)" : options_.names_file)
       << "\nPMDA:                   " << (agent_ == nullptr ? "none" : agent_->name()) << '\n';
  if (agent_ != nullptr && agent_->is_dso()) {
    const dso::InitFacts facts = host_report_->Read().init.value_or(dso::InitFacts());
    out_ << "Connection:             dso\n"
         << "DSO Interface Version:  " << facts.version << '\n'
         << "PMDA PMAPI Version:     " << facts.pmapi << '\n';
  } else if (agent_ != nullptr) {
    out_ << "Connection:             daemon (pid: " << agent_->process() << ")\n"
         << "PMDA PMAPI Version:     "
         << (agent_->greeted() ? std::to_string(agent_->version()) : "unknown!") << '\n';
  }
  std::string options;
  bool all = true;
  for (std::size_t i = 0; i < debug_.size(); ++i) {
    all = all && debug_[i];
    if (debug_[i]) options += (options.empty() ? "" : " ") + std::string(DebugOptionName(i));
  }
  if (all) options = "(all)";
  out_ << "Debug options:          " << (options.empty() ? "(none)" : options)
       << "\nTimer:                  " << OnOff(timer_)
       << "\nGetdesc:                " << OnOff(getdesc_)
       << "\nGetiname:               " << OnOff(getiname_)
       << "\n\nDump Instance Profile state=" << (profile_.excludes() ? "EXCLUDE" : "INCLUDE")
       << ", " << profile_.entries().size() << " profiles\n";
  std::size_t number = 0;
  for (const ScriptProfile::Entry& entry : profile_.entries()) {
    out_ << "\tProfile [" << number++ << "] indom=" << entry.indom.value << " ["
         << ToText(entry.indom) << "] state=" << (entry.excludes ? "EXCLUDE " : "INCLUDE ")
         << entry.instances.size() << " instances\n";
    if (entry.instances.empty()) continue;
    out_ << "\t\tInstances:" << Joined(entry.instances, [](std::int32_t instance) {
      return "[" + std::to_string(instance) + "]";
    }) << '\n';
  }
  out_ << '\n';
}

void Runner::On(const Help& command) {
  if (command.usage) {
    out_ << Usage(command.command);
  } else if (!command.command.empty()) {
    out_ << '\n' << Usage(command.command) << '\n';
    if (!Explanation(command.command).empty()) out_ << Explanation(command.command) << "\n\n";
  } else {
    out_ << "help [ command ]\n\n";
    for (const std::string_view name : HelpedCommands()) out_ << Usage(name);
    out_ << '\n';
  }
}

void Runner::On(const Switch& command) {
  switch (command.what) {
    case Switch::What::kGetdesc:
      getdesc_ = command.on;
      break;
    case Switch::What::kGetiname:
      getiname_ = command.on;
      break;
    case Switch::What::kTimer:
      timer_ = command.on;
      break;
  }
}

void Runner::On(const LoadNames& command) {
  auto source = pmda::ReadPmnsFile(command.file);
  if (!source) {
    Trouble() << source.error().ToText() << '\n';
    return;
  }
  options_.names = std::move(source->names);
  options_.names_file = command.file;
}

void Runner::On(const Watch&) {}

void Runner::On(const Wait& command) {
  constexpr std::uint32_t kLongest = 3600;
  if (command.seconds > kLongest) {
    Trouble() << "Error: pmproof waits " << kLongest << " seconds at most\n";
    return;
  }
  std::this_thread::sleep_for(std::chrono::seconds(command.seconds));
}

void Runner::On(const Debug& command) {
  for (const std::string& flag : command.flags) {
    const bool clear = flag.starts_with('-') || flag == "none";
    const std::string_view name = std::string_view(flag).substr(flag.starts_with('-') ? 1 : 0);
    if (name == "all" || name == "none") {
      debug_.assign(debug_.size(), !clear);
    } else if (const auto option = DebugOption(name)) {
      debug_[*option] = !clear;
    }
  }
}

}  // namespace pmproof::agent_script
