// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/library.h"

#include <dlfcn.h>

#include <cstring>
#include <iterator>

namespace pmproof::dso {
namespace {

std::string LoaderText() {
  const char* text = dlerror();
  return text != nullptr ? text : "unknown error";
}

struct Function {
  const char* name;
  int since;  // interface version
  std::size_t offset;
};

constexpr Function kFunctions[] = {
    {"profile", kOldestVersion, offsetof(Interface, profile)},
    {"fetch", kOldestVersion, offsetof(Interface, fetch)},
    {"desc", kOldestVersion, offsetof(Interface, desc)},
    {"instance", kOldestVersion, offsetof(Interface, instance)},
    {"text", kOldestVersion, offsetof(Interface, text)},
    {"store", kOldestVersion, offsetof(Interface, store)},
    {"pmid", kNames, offsetof(Interface, pmid)},
    {"name", kNames, offsetof(Interface, name)},
    {"children", kNames, offsetof(Interface, children)},
    {"attribute", kAttributes, offsetof(Interface, attribute)},
    {"label", kLabels, offsetof(Interface, label)},
};

InitFacts Judge(const Interface& interface) {
  InitFacts facts{.status = interface.status,
                  .version = interface.version,
                  .pmapi = interface.pmapi,
                  .flags = interface.flags};
  if (interface.status != 0) {
    facts.refused = "init set status " + std::to_string(interface.status);
  } else if (interface.version == kVersionOffered) {
    facts.refused = "init did not set the interface version";
  } else if (interface.version < kOldestVersion || interface.version > kNewestVersion) {
    facts.refused = "interface version " + std::to_string(interface.version) + " is not 2 to 7";
  } else if (interface.pmapi != 2 && interface.pmapi != 4) {
    facts.refused = "PMAPI version " + std::to_string(interface.pmapi) + " is neither 2 nor 4";
  }
  if (!facts.refused.empty()) return facts;
  for (const Function& function : kFunctions) {
    void* pointer = nullptr;
    std::memcpy(&pointer, reinterpret_cast<const char*>(&interface) + function.offset,
                sizeof pointer);
    if (interface.version >= function.since && pointer == nullptr) {
      facts.missing.emplace_back(function.name);
    }
  }
  return facts;
}

}  // namespace

LibraryName LibraryName::Parse(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  const std::size_t colon = text.rfind(':');
  LibraryName name;
  if (colon != text.npos && (slash == text.npos || colon > slash)) {
    name.file = text.substr(0, colon);
    name.init = text.substr(colon + 1);
  } else {
    name.file = text;
  }
  if (!name.init.empty()) return name;
  std::string_view stem = std::string_view(name.file).substr(slash == text.npos ? 0 : slash + 1);
  if (stem.starts_with("pmda_")) stem.remove_prefix(5);
  if (const std::size_t dot = stem.find('.'); dot != stem.npos) stem = stem.substr(0, dot);
  name.init = std::string(stem) + "_init";
  return name;
}

Init Load(const LibraryName& name, Observer& observer) {
  // Without a slash the loader would look in its folders, not here.
  const std::string path = name.file.find('/') == name.file.npos ? "./" + name.file : name.file;
  LoadFacts facts;
  // All at once first: where that succeeds nothing is left to be resolved lazily (DSO-042).
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  facts.all_resolved = library != nullptr;
  if (library == nullptr) {
    facts.problem = LoaderText();
    library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) facts.problem = LoaderText();
  }
  facts.loaded = library != nullptr;
  void* symbol = library != nullptr ? dlsym(library, name.init.c_str()) : nullptr;
  facts.init_found = symbol != nullptr;
  if (facts.loaded && !facts.init_found) facts.problem = LoaderText();
  observer.OnLoad(facts);
  return reinterpret_cast<Init>(symbol);
}

std::unique_ptr<Interface> Initialise(Init init, std::uint32_t domain, Observer& observer) {
  auto interface = std::make_unique<Interface>();
  interface->domain = static_cast<std::int32_t>(domain);
  interface->version = kVersionOffered;
  interface->pmapi = kPmapiOffered;
  init(interface.get());
  const InitFacts facts = Judge(*interface);
  observer.OnInit(facts);
  if (!facts.refused.empty()) return nullptr;
  return interface;
}

}  // namespace pmproof::dso
