// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "reference/core/printable.h"
#include "validator/info/info.h"
#include "validator/policy/document.h"
#include "validator/policy/policy.h"
#include "validator/replay/when.h"

namespace pmproof::validator::policy {
namespace {

constexpr std::string_view kSchema = "pmproof-policy/1";
constexpr std::size_t kMostText = 4096;  // bytes
constexpr std::int64_t kDay = 86'400'000'000'000;

std::string Quoted(std::string_view text) { return "\"" + Printable(text) + "\""; }

std::string Listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> CompressionNames() {
  using archive::Compression;
  std::vector<std::string> names;
  for (const Compression one :
       {Compression::kNone, Compression::kXz, Compression::kLzma, Compression::kBzip2,
        Compression::kGzip, Compression::kCompress, Compression::kZstd}) {
    names.emplace_back(CompressionName(one));
  }
  return names;
}

// Whether findings of the rule can be graver than `severity` by the rules alone, those aside that
// are fatal.
bool MakesLessGrave(const Rule& rule, Severity severity) {
  for (const std::optional<Severity> one :
       {std::optional(rule.severity), rule.also, rule.live, std::optional(rule.ingest)}) {
    if (one && *one != Severity::kFatal && *one > severity) return true;
  }
  return false;
}

// Reads the tables of a policy; the first thing that is wrong is kept, and what is read after it
// means nothing.
class Reader {
 public:
  Reader(const std::string& file, const Catalogue& catalogue)
      : file_(file), catalogue_(catalogue) {}

  Result<Policy> Read(const Node& document) {
    Policy policy;
    policy.file = file_;
    Keys(document, "the policy", {"schema", "profile", "reclassify", "require"});
    const Node* schema = document.Find("schema");
    if (schema == nullptr || schema->text != kSchema) {
      Fail(schema == nullptr ? document : *schema,
           "a policy has schema = " + Quoted(kSchema) + ", which this program knows");
    }
    if (const Node* profile = document.Find("profile")) {
      policy.profile = ParseProfile(Text(*profile, "profile"));
      if (!policy.profile) Fail(*profile, "profile is none of archival, live, ingest");
    }
    for (const Node* entry : Entries(document, "reclassify")) {
      policy.reclassify.push_back(ReadReclassify(*entry));
    }
    for (const Node* entry : Entries(document, "require")) {
      policy.require.push_back(ReadRequire(*entry));
    }
    if (error_) return tl::unexpected(*error_);
    return policy;
  }

 private:
  void Fail(const Node& node, const std::string& what) {
    if (!error_) error_ = WrongAtLine(file_, node.line, what);
  }

  // That `table` is one, and has no other members than these.
  void Keys(const Node& table, const std::string& name, std::vector<std::string> known) {
    if (table.kind != Node::Kind::kTable) {
      return Fail(table, name + " is " + ToText(table.kind) + ", not a table");
    }
    for (const Node& member : table.members) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      Fail(member, name + " has no member " + Quoted(member.key) + "; it has " + Listed(known));
    }
  }

  std::string Text(const Node& node, const std::string& name) {
    if (node.kind != Node::Kind::kText) {
      Fail(node, name + " is " + ToText(node.kind) + ", not a text");
    } else if (node.text.empty()) {
      Fail(node, name + " is empty");
    } else if (node.text.size() > kMostText) {
      Fail(node, name + " has more than " + std::to_string(kMostText) + " bytes");
    }
    return node.text;
  }

  // "" where it is missing.
  std::string OptionalText(const Node& table, const char* name) {
    const Node* node = table.Find(name);
    return node == nullptr ? "" : Text(*node, name);
  }

  const std::vector<Node>& Items(const Node& list, const std::string& name) {
    if (list.kind != Node::Kind::kList) {
      Fail(list, name + " is " + ToText(list.kind) + ", not a list");
    } else if (list.items.empty()) {
      Fail(list, name + " is an empty list");
    } else if (list.items.size() > kMostItems) {
      Fail(list, name + " has more than " + std::to_string(kMostItems) + " items");
    }
    return list.items;
  }

  std::vector<std::string> Texts(const Node& table, const char* name) {
    std::vector<std::string> texts;
    const Node* list = table.Find(name);
    if (list == nullptr) return texts;
    for (const Node& item : Items(*list, name)) {
      texts.push_back(Text(item, std::string("an item of ") + name));
    }
    return texts;
  }

  std::vector<const Node*> Entries(const Node& document, const char* name) {
    std::vector<const Node*> entries;
    const Node* list = document.Find(name);
    if (list == nullptr) return entries;
    if (list->kind != Node::Kind::kList) {
      Fail(*list, std::string(name) + " is " + ToText(list->kind) + ", not a list of tables: [[" +
                      name + "]]");
    } else if (list->items.size() > kMostEntries) {
      Fail(*list,
           std::string(name) + " has more than " + std::to_string(kMostEntries) + " entries");
    }
    for (const Node& entry : list->items) entries.push_back(&entry);
    return entries;
  }

  // What is required is required of archives: only findings have a metric.
  Place ReadPlace(const Node& entry, bool with_metric) {
    Place place;
    const Node* where = entry.Find("where");
    if (where == nullptr) return place;
    std::vector<std::string> known = {"archive", "host"};
    if (with_metric) known.emplace_back("metric");
    Keys(*where, "where", known);
    if (where->members.empty())
      Fail(*where, "where is empty; it has one or more of " + Listed(known));
    const auto read = [&](const char* name) -> std::optional<std::string> {
      if (where->Find(name) == nullptr) return std::nullopt;
      return OptionalText(*where, name);
    };
    place.archive = read("archive");
    place.host = read("host");
    place.metric = read("metric");
    return place;
  }

  Severity ReadSeverity(const Node& node) {
    const std::optional<Severity> severity = ParseSeverity(Text(node, "severity"));
    if (!severity || *severity == Severity::kFatal) {
      Fail(node, "severity is none of error, warning, info");
    }
    return severity.value_or(Severity::kError);
  }

  Reclassify ReadReclassify(const Node& node) {
    Reclassify entry;
    entry.line = node.line;
    Keys(node, "an entry of reclassify", {"rule", "severity", "reason", "until", "where"});
    for (const char* needed : {"rule", "severity", "reason"}) {
      if (node.Find(needed) == nullptr) {
        Fail(node, std::string("an entry of reclassify needs ") + needed);
      }
    }
    entry.reason = OptionalText(node, "reason");
    entry.where = ReadPlace(node, true);
    if (const Node* severity = node.Find("severity")) entry.severity = ReadSeverity(*severity);
    ReadUntil(node, &entry);
    if (const Node* rule = node.Find("rule")) ReadRule(node, *rule, &entry);
    return entry;
  }

  void ReadUntil(const Node& node, Reclassify* entry) {
    const Node* until = node.Find("until");
    if (until == nullptr) return;
    entry->until_text = Text(*until, "until");
    // Of what ParseTime takes a day has just ten characters.
    const std::optional<Timestamp> day = ParseTime(entry->until_text);
    if (!day || entry->until_text.size() != 10 || entry->until_text[0] == '@') {
      Fail(*until, "until is no day, such as 2026-12-31");
    } else {
      entry->until = *day + kDay;
    }
  }

  void ReadRule(const Node& node, const Node& text, Reclassify* entry) {
    const std::optional<Clause> id = Clause::Parse(Text(text, "rule"));
    const Rule* rule = id ? catalogue_.Find(*id) : nullptr;
    if (rule == nullptr) {
      return Fail(text, "there is no rule " + Quoted(text.text) + "; pmproof list lists them");
    }
    entry->rule = *id;
    if (rule->severity == Severity::kFatal && !rule->also) {
      Fail(text, text.text +
                     " is fatal: readers do not get to the end of such an archive, and no "
                     "policy makes it readable");
    } else if (!entry->until && MakesLessGrave(*rule, entry->severity)) {
      Fail(node, "findings of " + text.text +
                     " become less grave: until = YYYY-MM-DD says how long that is to be so");
    }
  }

  // In nanoseconds.
  std::optional<std::int64_t> Duration(const Node& table, const char* name) {
    const Node* node = table.Find(name);
    if (node == nullptr) return std::nullopt;
    const std::optional<std::int64_t> duration = ParseDuration(Text(*node, name));
    if (!duration || *duration == 0) {
      Fail(*node, std::string(name) + " is no length of time, such as 90s, 5min, 23.5h, 7d");
    }
    return duration;
  }

  Require ReadRequire(const Node& node) {
    Require entry;
    entry.line = node.line;
    const std::vector<std::string> facts = {"metrics",    "min_span",    "max_interval",
                                            "max_gap",    "hosts",       "label_keys",
                                            "time_zones", "compression", "versions"};
    std::vector<std::string> known = facts;
    known.insert(known.end(), {"severity", "reason", "where"});
    Keys(node, "an entry of require", known);
    if (std::none_of(facts.begin(), facts.end(),
                     [&](const std::string& fact) { return node.Find(fact) != nullptr; })) {
      Fail(node, "an entry of require requires nothing; it has one or more of " + Listed(facts));
    }
    entry.reason = OptionalText(node, "reason");
    entry.where = ReadPlace(node, false);
    if (const Node* severity = node.Find("severity")) entry.severity = ReadSeverity(*severity);
    entry.metrics = Texts(node, "metrics");
    entry.min_span = Duration(node, "min_span");
    entry.max_interval = Duration(node, "max_interval");
    entry.max_gap = Duration(node, "max_gap");
    entry.hosts = Texts(node, "hosts");
    entry.label_keys = Texts(node, "label_keys");
    entry.time_zones = Texts(node, "time_zones");
    entry.compression = Texts(node, "compression");
    const std::vector<std::string> names = CompressionNames();
    for (const std::string& name : entry.compression) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        Fail(*node.Find("compression"),
             Quoted(name) + " is no compression; there are " + Listed(names));
      }
    }
    ReadVersions(node, &entry);
    return entry;
  }

  void ReadVersions(const Node& node, Require* entry) {
    const Node* versions = node.Find("versions");
    if (versions == nullptr) return;
    for (const Node& item : Items(*versions, "versions")) {
      if (item.kind != Node::Kind::kInteger || (item.integer != 2 && item.integer != 3)) {
        Fail(item, "versions are 2 and 3");
      }
      entry->versions.push_back(item.integer);
    }
  }

  const std::string& file_;
  const Catalogue& catalogue_;
  std::optional<Status> error_;
};

}  // namespace

Result<Policy> ParsePolicy(std::string_view text, const std::string& file,
                           const Catalogue& catalogue) {
  const Result<Node> document = ReadDocument(text, file);
  if (!document) return tl::unexpected(document.error());
  return Reader(file, catalogue).Read(*document);
}

}  // namespace pmproof::validator::policy
