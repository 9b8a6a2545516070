// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/runner.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <type_traits>
#include <utility>

#include "reference/core/descriptor_text.h"
#include "reference/pmda/names/pmns_source.h"
#include "validator/dbpmda/opening.h"
#include "validator/dbpmda/print_result.h"
#include "validator/dbpmda/tables.h"
#include "validator/dbpmda/values.h"

namespace pmproof::agent_script {
namespace {

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

void PrintLabels(const pdu::LabelSet& set, std::ostream& out) {
  if (set.status != ErrorCode::kOk) out << "Error: " << ErrorText(set.status) << '\n';
  for (const pdu::LabelEntry& label : set.labels) {
    out << "    " << set.Name(label) << '=' << set.Value(label) << '\n';
  }
}

template <typename Body>
constexpr bool kIsRequest = std::is_same_v<Body, Describe> || std::is_same_v<Body, Fetch> ||
                            std::is_same_v<Body, ListInstances> || std::is_same_v<Body, ShowText> ||
                            std::is_same_v<Body, Store> || std::is_same_v<Body, LookUpName> ||
                            std::is_same_v<Body, LookUpPmid> || std::is_same_v<Body, ShowLabels> ||
                            std::is_same_v<Body, SendAttribute>;

}  // namespace

Runner::Runner(Options options, std::ostream& out, std::ostream& err,
               std::function<std::string()> place)
    : options_(std::move(options)), out_(out), talk_(out, err, std::move(place)) {}

bool Runner::Run(const Command& command) {
  if (std::holds_alternative<Quit>(command)) return false;
  const auto begin = std::chrono::steady_clock::now();
  std::visit(
      [&](const auto& body) {
        if constexpr (kIsRequest<std::decay_t<decltype(body)>>) {
          if (!Opened()) return;
          On(body);
          if (!settings_.timer) return;
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

bool Runner::Opened() {
  if (talk_.agent() == nullptr) talk_.trouble() << "Warning: No PMDA currently opened\n";
  return talk_.agent() != nullptr;
}

void Runner::On(const Close&) {
  if (Opened()) talk_.Close();
}

// --- requests

void Runner::On(const Describe& command) {
  out_ << "PMID: " << ToText(command.pmid) << '\n';
  if (const auto descriptor = talk_.AskDescriptor(command.pmid)) {
    out_ << DescriptorText(*descriptor, PcpVersion::k7_2);
  }
}

void Runner::On(const Fetch& command) {
  out_ << "PMID(s):" << Joined(command.pmids, [](Pmid pmid) { return ToText(pmid); }) << '\n';
  ResultContext context{.of_dso = talk_.is_dso(), .names = options_.names};
  if (settings_.getdesc || settings_.getiname) {
    for (const Pmid pmid : command.pmids) {
      const auto descriptor = talk_.AskDescriptor(pmid);
      if (!descriptor) return;
      context.descriptors.push_back(*descriptor);
    }
  }
  if (settings_.getiname) {
    context.instance_name = [this](Indom indom, std::int32_t instance) {
      return talk_.InstanceName(indom, instance);
    };
  }
  if (!talk_.SendProfile()) return;
  if (const auto result = talk_.AskValues(command.pmids)) PrintResult(*result, context, out_);
}

void Runner::On(const ListInstances& command) {
  out_ << "pmInDom: " << ToText(command.indom) << '\n';
  const auto answer = talk_.Ask<pdu::Instance>(
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
    const auto answer =
        talk_.Ask<pdu::Text>(pdu::TextReq{identifier, target | form}, "TextReq", "text");
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
  const auto descriptor = talk_.AskDescriptor(command.pmid);
  if (!descriptor && !talk_.silent()) return;  // it goes on where there is no answer
  if (!talk_.profile_sent()) {
    out_ << "Sending Profile...\n";
    if (!talk_.SendProfile()) return;
  }
  out_ << "Getting Result Structure...\n";
  const auto result = talk_.AskValues({command.pmid});
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
  if (!talk_.is_dso()) out_ << "Sending Result...\n";
  const auto answer = talk_.Ask<pdu::Error>(pdu::Result{.sets = sets}, "Result", "store");
  if (answer && answer->code != ErrorCode::kOk) talk_.Say(answer->code, "store");
}

void Runner::On(const LookUpName& command) {
  using What = LookUpName::What;
  out_ << "Metric: " << command.name << '\n';
  if (command.what == What::kPmid) {
    const pdu::PmnsName names[] = {{.name = command.name}};
    if (const auto found =
            talk_.Ask<pdu::PmnsIds>(pdu::PmnsNames{.names = names}, "IDList", "pmid")) {
      for (const Pmid pmid : found->pmids) out_ << "   " << ToText(pmid) << '\n';
    }
    return;
  }
  const bool children = command.what == What::kChildren;
  const auto found =
      children ? talk_.Ask<pdu::PmnsNames>(pdu::PmnsChild{.subtype = 1, .name = command.name},
                                           "ChildReq", "children")
               : talk_.Ask<pdu::PmnsNames>(pdu::PmnsTraverse{.name = command.name}, "TraversePMNS",
                                           "children");
  if (!found) return;
  if (talk_.is_dso() && found->names.empty()) {
    out_ << "Warning: DSO children() returns 0\n";
  }
  for (const pdu::PmnsName& name : found->names) {
    if (children || talk_.is_dso()) {
      out_ << (name.status == pdu::kLeaf ? "       leaf " : "   non-leaf ") << name.name << '\n';
    } else {
      out_ << "   " << name.name << '\n';
    }
  }
}

void Runner::On(const LookUpPmid& command) {
  out_ << "PMID: " << ToText(command.pmid) << '\n';
  const Pmid pmids[] = {command.pmid};
  const auto found = talk_.Ask<pdu::PmnsNames>(pdu::PmnsIds{.pmids = pmids}, "IDList", "name");
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
      talk_.SendProfile();
      break;
  }
  const auto answer = talk_.Ask<pdu::Label>(
      pdu::LabelReq{identifier, static_cast<std::uint32_t>(command.of)}, "LabelReq", "label");
  if (!answer) return;
  if (answer->sets.empty()) {
    out_ << (talk_.is_dso() ? "Info: DSO label() returns 0\n"
                            : "Info: __pmDecodeLabel() returns 0 label sets\n");
  }
  for (std::size_t i = 0; i < answer->sets.size(); ++i) {
    const pdu::LabelSet& set = answer->sets[i];
    if (instances) out_ << Index(i) << ' ';
    out_ << "Labels" << (instances ? " inst: " + std::to_string(set.instance) : ":") << '\n';
    PrintLabels(set, out_);
  }
}

void Runner::On(const SendAttribute& command) {
  out_ << "Attribute: " << NameOf(command.attribute).value_or("?") << '='
       << (command.value.empty() ? "''" : command.value) << '\n';
  const std::string value = command.value.empty() ? "" : command.value + '\0';
  if (talk_.Send(pdu::Attr{command.attribute, value}, "Auth")) out_ << "Success\n";
}

// --- local commands

void Runner::On(const ShowStatus&) { out_ << StatusText(options_.names_file, settings_, talk_); }

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

void Runner::On(const LoadNames& command) {
  auto source = pmda::ReadPmnsFile(command.file);
  if (!source) {
    talk_.trouble() << source.error().ToText() << '\n';
    return;
  }
  options_.names = std::move(source->names);
  options_.names_file = command.file;
}

void Runner::On(const Wait& command) {
  constexpr std::uint32_t kLongest = 3600;
  if (command.seconds > kLongest) {
    talk_.trouble() << "Error: pmproof waits " << kLongest << " seconds at most\n";
    return;
  }
  std::this_thread::sleep_for(std::chrono::seconds(command.seconds));
}

}  // namespace pmproof::agent_script
