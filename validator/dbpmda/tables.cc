// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/tables.h"

#include <algorithm>
#include <iterator>
#include <system_error>

namespace pmproof::agent_script {
namespace {

struct Message {
  int code;
  const char* text;
};
constexpr Message kMessages[] = {
    {-12345, "Generic error, already reported above"},
    {-12346, "Problems parsing PMNS definitions"},
    {-12347, "PMNS not accessible"},
    {-12348, "Attempt to reload the PMNS"},
    {-12349, "One-line or help text is not available"},
    {-12350, "Metric not supported by this version of monitored application"},
    {-12351, "Missing metric value(s)"},
    {-12353, "Timeout waiting for a response from PMCD"},
    {-12354, "Empty archive file"},
    {-12355, "PMCD reset or configuration change"},
    {-12357, "Unknown metric name"},
    {-12358, "Unknown or illegal metric identifier"},
    {-12359, "Unknown or illegal instance domain identifier"},
    {-12360, "Unknown or illegal instance identifier"},
    {-12361, "Illegal pmUnits specification"},
    {-12362, "Impossible value or scale conversion"},
    {-12363, "Truncation in value conversion"},
    {-12364, "Negative value in conversion to unsigned"},
    {-12365, "Explicit instance identifier(s) required"},
    {-12366, "IPC protocol failure"},
    {-12368, "IPC channel closed"},
    {-12369, "Operation requires context with host source of metrics"},
    {-12370, "End of PCP archive"},
    {-12371, "Illegal mode specification"},
    {-12372, "Illegal label record at start of a PCP archive file"},
    {-12373, "Corrupted record in a PCP archive"},
    {-12374, "Operation requires context with archive source of metrics"},
    {-12375, "Missing PCP archive file"},
    {-12376, "Attempt to use an illegal context"},
    {-12377, "NULL pmInDom with non-NULL instlist"},
    {-12378, "Metric not defined in the PCP archive"},
    {-12379, "Instance domain identifier not defined in the PCP archive"},
    {-12380, "Instance identifier not defined in the PCP archive"},
    {-12381, "Missing profile - protocol botch"},
    {-12386, "No PMCD agent for domain of request"},
    {-12387, "No permission to perform requested operation"},
    {-12388, "PMCD connection limit for this host exceeded"},
    {-12389, "Try again. Information not currently available"},
    {-12390, "Already Connected"},
    {-12391, "Not Connected"},
    {-12392, "A non-null port name is required"},
    {-12394, "Metric name is not a leaf in PMNS"},
    {-12397, "Unknown or illegal metric type"},
    {-12398, "Operation not supported for multi-threaded applications"},
    {-12399, "Container not found"},
    {-12400, "Bad input to pmstore"},
    {-12401, "Archives overlap in time"},
    {-12402, "Archives differ by host"},
    {-12404, "The type of a metric has changed in an archive"},
    {-12405, "The semantics of a metric has changed in an archive"},
    {-12406, "The instance domain of a metric has changed in an archive"},
    {-12407, "The units of a metric have changed in an archive"},
    {-12408, "PMCD requires a client certificate"},
    {-12409, "Derived metric definition failed"},
    {-12410, "No support for metric label metadata"},
    {-12411, "PMDA is currently fenced and unable to respond to requests"},
    {-12412, "Incorrect record type in an archive"},
    {-12413, "Archive feature not supported"},
    {-12414, "TLS protocol failure"},
    {-12415, "Bad value for function argument"},
    {-12442, "Internal inconsistency detected or assertion failed"},
    {-12443, "Insufficient elements in list"},
    {-12444, "Result size exceeded"},
    {-12445, "QA fault injected"},
    {-13393, "PMDA is now responsive to requests"},
    {-13394, "PMDA is not yet ready to respond to requests"},
    {-21344, "Functionality not yet implemented"},
};

struct CommandHelp {
  std::string_view name;
  std::string_view usage;
  std::string_view explanation;
};
constexpr CommandHelp kHelp[] = {
    {"attr", "attr name [value]\nattr attr# [value]\n",
     "Tells the agent an attribute of the client."},
    {"children", "children metric-name\n", "Asks the agent for the names right below a name."},
    {"close", "close\n", "Ends the agent."},
    {"debug", "debug all | none\ndebug [-]flag [ [-]flag ... ] (- prefix to clear)\n",
     "Options are shown by status; pmproof has no debugging output of PCP's kind."},
    {"desc", "desc metric\n",
     "Asks for the descriptor of a metric: a name, or a PMID as N, N.N or N.N.N."},
    {"fetch", "fetch metric [ metric ... ]\n", "Asks for values, within the profile."},
    {"getdesc", "getdesc on | off\n",
     "Whether fetch asks for descriptors first, to print values by their type."},
    {"getiname", "getiname on | off\n", "Whether fetch asks for the names of instances."},
    {"instance", "instance indom# [ number | name | \"name\" ]\n",
     "Asks for all instances of a domain, or for one by number or by name."},
    {"label",
     "label context\nlabel domain\nlabel indom indom#\nlabel cluster cluster#\nlabel item "
     "metric\nlabel instances indom#\n",
     ""},
    {"name", "name pmid#\n", "Asks the agent for the names of a PMID."},
    {"namespace", "namespace fname\n", "Reads metric names from another file."},
    {"open",
     "open dso dsoname init_routine [ domain# ]\nopen pipe execname [ arg ... ]\nopen socket unix "
     "sockname\nopen socket inet port#|service\nopen socket ipv6 port#|service\n",
     "Starts an agent, or connects to one that listens; ends the one before."},
    {"pmid", "pmid metric-name\n", "Asks the agent for the PMID of a name."},
    {"profile", "profile indom# [ all | none ]\nprofile indom# [ add | delete ] number\n",
     "Changes which instances are asked for."},
    {"quit", "quit\n", "Ends the script, and the agent."},
    {"status", "status\n", "Shows what is open, and what is set."},
    {"store", "store metric \"value\"\n",
     "Replaces the value of each instance within the profile."},
    {"text", "text metric\ntext indom indom#\n", "Asks for both help texts."},
    {"timer", "timer on | off\n", "Whether the time that an answer took is shown."},
    {"traverse", "traverse metric-name\n", "Asks the agent for all names below a name."},
    {"wait", "wait seconds\n", "Does nothing for so long."},
    {"watch", "watch logfilename\n", "Would show a log in a window; does nothing here."},
};

struct AttributeName {
  int number;
  std::string_view name;
};
constexpr AttributeName kAttributes[] = {
    {1, "protocol"}, {2, "secure"},     {3, "compress"},   {4, "userauth"},
    {5, "username"}, {6, "authname"},   {7, "password"},   {8, "method"},
    {9, "realm"},    {10, "unixsock"},  {11, "userid"},    {12, "groupid"},
    {13, "local"},   {14, "processid"}, {15, "container"}, {16, "exclusive"}};

constexpr std::string_view kDebugOptions[] = {
    "pdu",       "fetch",      "profile",     "value",  "context",   "indom",  "pdubuf",
    "log",       "logmeta",    "optfetch",    "af",     "appl0",     "appl1",  "appl2",
    "pmns",      "libpmda",    "timecontrol", "pmc",    "derive",    "lock",   "interp",
    "config",    "pmapi",      "fault",       "auth",   "discovery", "attr",   "http",
    "desperate", "deprecated", "exec",        "labels", "series",    "libweb", "alloc",
    "services",  "appl3",      "appl4",       "appl5",  "access",    "qa",     "search",
    "query",     "compress",   "dev0",        "dev1",   "dev2",      "pmlc",   "appl6",
    "appl7",     "appl8",      "appl9",       "tls",    "misc",      "qed",    "getopt"};

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

const CommandHelp* Find(std::string_view command) {
  const auto* found = std::find_if(std::begin(kHelp), std::end(kHelp),
                                   [&](const CommandHelp& help) { return help.name == command; });
  return found == std::end(kHelp) ? nullptr : found;
}

}  // namespace

std::string ErrorText(ErrorCode code) {
  const int number = static_cast<int>(code);
  for (const Message& message : kMessages) {
    if (message.code == number) return message.text;
  }
  if (number < 0 && number > -1000) {
    return std::error_code(-number, std::generic_category()).message();
  }
  return "No message for error code " + std::to_string(number);
}

std::string_view Usage(std::string_view command) {
  const CommandHelp* help = Find(command);
  return help == nullptr ? std::string_view() : help->usage;
}

std::string_view Explanation(std::string_view command) {
  const CommandHelp* help = Find(command);
  return help == nullptr ? std::string_view() : help->explanation;
}

std::vector<std::string_view> HelpedCommands() {
  std::vector<std::string_view> names;
  for (const CommandHelp& help : kHelp) names.push_back(help.name);
  return names;
}

std::optional<pdu::Attribute> AttributeOf(std::string_view name) {
  for (const AttributeName& attribute : kAttributes) {
    if (attribute.name == name) return static_cast<pdu::Attribute>(attribute.number);
  }
  return std::nullopt;
}

std::optional<std::string_view> NameOf(pdu::Attribute attribute) {
  for (const AttributeName& one : kAttributes) {
    if (one.number == static_cast<int>(attribute)) return one.name;
  }
  return std::nullopt;
}

std::optional<std::size_t> DebugOption(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kDebugOptions), std::end(kDebugOptions),
                   [&](std::string_view option) { return EqualsIgnoringCase(option, name); });
  if (found == std::end(kDebugOptions)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(kDebugOptions));
}

std::string_view DebugOptionName(std::size_t number) { return kDebugOptions[number]; }
std::size_t DebugOptionCount() { return std::size(kDebugOptions); }

}  // namespace pmproof::agent_script
