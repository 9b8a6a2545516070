// SPDX-License-Identifier: Apache-2.0
// Shared-object agents for tests, one for each init function: a good one of every interface
// version, and ones with one fault each. Independent of PCP's library (DSO-043).

#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "reference/pmda/dso/interface.h"

namespace pmproof::dso {
namespace {

constexpr int kErrText = -12349;
constexpr int kErrName = -12357;
constexpr int kErrPmid = -12358;
constexpr int kErrIndom = -12359;
constexpr int kErrInst = -12360;
constexpr int kErrPermission = -12387;
constexpr int kErrType = -12397;

constexpr std::uint32_t kNull = 0xffffffff;
constexpr int kColours = 2;
const char* const kColourNames[kColours] = {"red", "dark green"};

// Items of cluster 0: 0 fetches U32; 1 colour DOUBLE of indom 0; 2 hello STRING; 3 target 32, can
// be stored; 4 client U32: the client number seen by fetch; 5 attribute STRING; 6 ended U32: the
// client whose end was told; 7 events EVENT.
constexpr int kItems = 8;
constexpr std::int32_t kTypes[kItems] = {1, 5, 6, 0, 1, 6, 1, 9};

struct State {
  std::int32_t domain = 0;
  std::uint32_t fetches = 0;
  std::int32_t target = 13;
  std::uint32_t ended = 99;
  std::string attribute = "none";
  const Profile* profile = nullptr;
};
State state;
Extension extension;

template <typename T>
T* New(std::size_t size = sizeof(T)) {
  return static_cast<T*>(std::calloc(1, size < sizeof(T) ? sizeof(T) : size));
}

bool Mine(std::uint32_t id) { return static_cast<std::int32_t>(id >> 22) == state.domain; }
int ItemOf(std::uint32_t pmid) {
  const std::uint32_t rest = pmid & 0x3fffff;
  return Mine(pmid) && rest < kItems ? static_cast<int>(rest) : -1;
}

bool Wanted(std::uint32_t indom, int instance) {
  for (int i = 0; i < state.profile->count; ++i) {
    const ProfileEntry& entry = state.profile->entries[i];
    if (entry.indom != indom) continue;
    bool listed = false;
    for (int k = 0; k < entry.count; ++k) listed = listed || entry.instances[k] == instance;
    return listed ? entry.state != 0 : entry.state == 0;
  }
  return state.profile->state == 0;
}

ValueBlock* Block(int type, const void* body, std::size_t size) {
  auto* block = New<ValueBlock>(4 + size);
  block->header = static_cast<std::uint32_t>(type) << 24 | static_cast<std::uint32_t>(4 + size);
  std::memcpy(block->body, body, size);
  return block;
}

ValueSet* SetOf(std::uint32_t pmid, int numval) {
  const std::size_t values = static_cast<std::size_t>(numval > 0 ? numval : 0);
  auto* set = New<ValueSet>(16 + values * sizeof(Value));
  set->pmid = pmid;
  set->numval = numval;
  for (std::size_t i = 0; i < values; ++i) set->values[i].instance = -1;
  return set;
}

ValueSet* Colours(std::uint32_t pmid) {
  ValueSet* set = SetOf(pmid, kColours);
  set->valfmt = 1;
  set->numval = 0;
  const std::uint32_t indom = static_cast<std::uint32_t>(state.domain) << 22;
  for (int i = 0; i < kColours; ++i) {
    if (!Wanted(indom, i)) continue;
    const double value = i + 0.5;
    set->values[set->numval].instance = i;
    set->values[set->numval++].of.block = Block(5, &value, sizeof value);
  }
  return set;
}

// One record with one DOUBLE parameter, and one of three that were missed.
ValueSet* Events(std::uint32_t pmid) {
  std::uint32_t words[] = {2,                                                           // records
                           1000, 5, 1,          1, pmid & ~1023U, 5U << 24 | 12, 0, 0,  // the first
                           1001, 6, 0x80000000, 3};
  const double value = 2.5;
  std::memcpy(words + 7, &value, sizeof value);
  ValueSet* set = SetOf(pmid, 1);
  set->valfmt = 1;
  set->values[0].of.block = Block(9, words, sizeof words);
  return set;
}

ValueSet* Evaluate(std::uint32_t pmid) {
  static ValueBlock* hello = Block(6, "hello", 6);
  ValueSet* set = nullptr;
  switch (ItemOf(pmid)) {
    case 0:
      set = SetOf(pmid, 1);
      set->values[0].of.word = static_cast<std::int32_t>(state.fetches);
      return set;
    case 1:
      return Colours(pmid);
    case 2:
      set = SetOf(pmid, 1);
      set->valfmt = 2;  // not the host's to free
      set->values[0].of.block = hello;
      return set;
    case 3:
      set = SetOf(pmid, 1);
      set->values[0].of.word = state.target;
      return set;
    case 4:
      set = SetOf(pmid, 1);
      set->values[0].of.word = extension.context;
      return set;
    case 5:
      set = SetOf(pmid, 1);
      set->valfmt = 1;
      set->values[0].of.block = Block(6, state.attribute.c_str(), state.attribute.size() + 1);
      return set;
    case 6:
      set = SetOf(pmid, 1);
      set->values[0].of.word = static_cast<std::int32_t>(state.ended);
      return set;
    case 7:
      return Events(pmid);
    default:
      return SetOf(pmid, kErrPmid);
  }
}

int OnProfile(Profile* profile, Extension*) {
  state.profile = profile;
  return 0;
}

int OnFetch(int count, std::uint32_t* pmids, Result** out, Extension*) {
  static Result* result = nullptr;  // one buffer, the agent's own (DSO-025)
  static int room = 0;
  if (count > room) {
    std::free(result);
    // With room for one more, which a fault makes use of.
    result = New<Result>(24 + static_cast<std::size_t>(count + 1) * sizeof(ValueSet*));
    room = count;
  }
  ++state.fetches;
  result->numpmid = count;
  for (int i = 0; i < count; ++i) result->sets[i] = Evaluate(pmids[i]);
  *out = result;
  return 0;
}

int OnDesc(std::uint32_t pmid, Desc* out, Extension*) {
  const int item = ItemOf(pmid);
  if (item < 0) return kErrPmid;
  const std::uint32_t indom = item == 1 ? static_cast<std::uint32_t>(state.domain) << 22 : kNull;
  *out = {.pmid = pmid, .type = kTypes[item], .indom = indom, .semantics = 3, .units = 0};
  return 0;
}

int OnInstance(std::uint32_t indom, int number, char* name, Instances** out, Extension*) {
  if (indom != static_cast<std::uint32_t>(state.domain) << 22) return kErrIndom;
  int first = 0;
  int last = kColours - 1;
  if (name != nullptr) {
    for (first = 0; first < kColours && std::strcmp(name, kColourNames[first]) != 0;) ++first;
    last = first;
    if (number != -1 || first == kColours) return kErrInst;
  } else if (number != -1) {
    if (number < 0 || number >= kColours) return kErrInst;
    first = last = number;
  }
  auto* found = New<Instances>();
  found->indom = indom;
  found->numinst = last - first + 1;
  const auto count = static_cast<std::size_t>(found->numinst);
  if (number == -1) found->numbers = New<std::int32_t>(count * sizeof(std::int32_t));
  if (name == nullptr) found->names = New<char*>(count * sizeof(char*));
  for (int i = first; i <= last; ++i) {
    if (found->numbers != nullptr) found->numbers[i - first] = i;
    if (found->names != nullptr) found->names[i - first] = strdup(kColourNames[i]);
  }
  *out = found;
  return 0;
}

int OnText(int ident, int type, char** out, Extension*) {
  static char text[] = "one line";
  if ((type & 4) == 0 || ItemOf(static_cast<std::uint32_t>(ident)) < 0) return kErrText;
  *out = text;
  return 0;
}

int OnStore(Result* result, Extension*) {
  for (int i = 0; i < result->numpmid; ++i) {
    const ValueSet* set = result->sets[i];
    if (ItemOf(set->pmid) < 0) return kErrPmid;
    if (ItemOf(set->pmid) != 3) return kErrPermission;
    if (set->numval == 1 && set->valfmt == 0) state.target = set->values[0].of.word;
    if (set->numval == 1 && set->valfmt == 1) {  // takes a DOUBLE too
      double value = 0;
      std::memcpy(&value, set->values[0].of.block->body, sizeof value);
      state.target = static_cast<std::int32_t>(value);
    }
  }
  return 0;
}

int OnPmid(const char* name, std::uint32_t* out, Extension*) {
  if (std::strcmp(name, "test.hello") != 0) return kErrName;
  *out = static_cast<std::uint32_t>(state.domain) << 22 | 2;
  return 0;
}

// Pointers and texts in one block (DSO-030).
char** NameBlock(const char* const* names, int count) {
  std::size_t size = static_cast<std::size_t>(count) * sizeof(char*);
  for (int i = 0; i < count; ++i) size += std::strlen(names[i]) + 1;
  auto** block = New<char*>(size);
  char* text = reinterpret_cast<char*>(block + count);
  for (int i = 0; i < count; ++i) {
    block[i] = text;
    text = stpcpy(text, names[i]) + 1;
  }
  return block;
}

int OnName(std::uint32_t pmid, char*** out, Extension*) {
  static const char* const kNames[] = {"test.hello"};
  if (ItemOf(pmid) != 2) return kErrPmid;
  *out = NameBlock(kNames, 1);
  return 1;
}

int OnChildren(const char* name, int traverse, char*** names, int** status, Extension*) {
  static const char* const kShort[] = {"hello", "more"};
  static const char* const kFull[] = {"test.hello"};
  if (std::strcmp(name, "test") != 0) return kErrName;
  if (traverse != 0) {
    *names = NameBlock(kFull, 1);
    return 1;
  }
  *names = NameBlock(kShort, 2);
  *status = New<int>(2 * sizeof(int));
  (*status)[1] = 1;
  return 2;
}

int OnAttribute(int client, int attribute, const char* value, int length, Extension*) {
  state.attribute = std::to_string(client) + ":" + std::to_string(attribute) + ":" + value + ":" +
                    std::to_string(length);
  return 0;
}

int OnLabel(int, int type, LabelSet** out, Extension*) {
  static const char kJson[] = R"({"role":"test"})";
  if (type == 64) return kErrType;
  if (type != 2) return 0;
  auto* set = New<LabelSet>();
  set->instance = -1;
  set->nlabels = 1;
  set->json = strdup(kJson);
  set->json_length = sizeof kJson - 1;
  set->labels = New<Label>();
  *set->labels = {
      .name_offset = 2, .name_length = 4, .flags = 2, .value_offset = 8, .value_length = 6};
  *out = set;
  return 1;
}

void EndOfClient(std::int32_t client) { state.ended = static_cast<std::uint32_t>(client); }

void GoodInit(Interface* interface, int version) {
  state.domain = interface->domain;
  interface->version = static_cast<std::uint8_t>(version);
  interface->pmapi = 2;
  interface->ext = &extension;
  interface->profile = OnProfile;
  interface->fetch = OnFetch;
  interface->desc = OnDesc;
  interface->instance = OnInstance;
  interface->text = OnText;
  interface->store = OnStore;
  if (version >= kNames) {
    interface->pmid = OnPmid;
    interface->name = OnName;
    interface->children = OnChildren;
  }
  if (version >= kContext) extension.end_of_client = EndOfClient;
  if (version >= kAttributes) {
    interface->attribute = OnAttribute;
    interface->flags = 0x0004;
  }
  if (version >= kLabels) interface->label = OnLabel;
}

// A good agent but for what fetch gives of a single metric.
template <typename Change>
void Spoil(Interface* interface, Change) {
  GoodInit(interface, 7);
  interface->fetch = [](int count, std::uint32_t* pmids, Result** out, Extension* ext) {
    const int status = OnFetch(count, pmids, out, ext);
    Change{}(**out);
    return status;
  };
}

}  // namespace
}  // namespace pmproof::dso

using namespace pmproof::dso;  // NOLINT

extern "C" {
void good_2(Interface* interface) { GoodInit(interface, 2); }
void good_3(Interface* interface) { GoodInit(interface, 3); }
void good_4(Interface* interface) { GoodInit(interface, 4); }
void good_5(Interface* interface) { GoodInit(interface, 5); }
void good_6(Interface* interface) { GoodInit(interface, 6); }
void good_7(Interface* interface) { GoodInit(interface, 7); }

// Faults of init.
void crash_in_init(Interface*) { std::raise(SIGSEGV); }
void exit_in_init(Interface*) { std::exit(3); }
void hang_in_init(Interface*) { pause(); }
void nothing_in_init(Interface*) {}
void status_in_init(Interface* interface) {
  GoodInit(interface, 7);
  interface->status = -12345;
}
void version_1(Interface* interface) { GoodInit(interface, 1); }
void version_8(Interface* interface) { GoodInit(interface, 8); }
void pmapi_untouched(Interface* interface) {
  GoodInit(interface, 7);
  interface->pmapi = kPmapiOffered;
}
void label_missing(Interface* interface) {
  GoodInit(interface, 7);
  interface->label = nullptr;
}
void no_extension(Interface* interface) {
  GoodInit(interface, 7);
  interface->ext = nullptr;
}

// Faults of calls.
void crash_in_fetch(Interface* interface) {
  Spoil(interface, [](Result&) { std::raise(SIGSEGV); });
}
void exit_in_fetch(Interface* interface) {
  Spoil(interface, [](Result&) { std::exit(0); });
}
void hang_in_fetch(Interface* interface) {
  Spoil(interface, [](Result&) { pause(); });
}
void no_result(Interface* interface) {
  GoodInit(interface, 7);
  interface->fetch = [](int, std::uint32_t*, Result**, Extension*) { return 0; };
}
void one_set_too_many(Interface* interface) {
  Spoil(interface, [](Result& result) {
    ++result.numpmid;
    result.sets[result.numpmid - 1] = nullptr;
  });
}
void null_set(Interface* interface) {
  Spoil(interface, [](Result& result) { result.sets[0] = nullptr; });
}
void many_values(Interface* interface) {
  Spoil(interface, [](Result& result) { result.sets[0]->numval = INT_MAX; });
}
void value_format_9(Interface* interface) {
  Spoil(interface, [](Result& result) { result.sets[0]->valfmt = 9; });
}
void null_block(Interface* interface) {
  Spoil(interface, [](Result& result) {
    result.sets[0]->valfmt = 1;
    result.sets[0]->values[0].of.block = nullptr;
  });
}
void short_double(Interface* interface) {
  Spoil(interface, [](Result& result) {
    result.sets[0]->valfmt = 1;
    result.sets[0]->values[0].of.block = Block(5, "1234", 4);
  });
}
void no_text(Interface* interface) {
  GoodInit(interface, 7);
  interface->text = [](int, int, char**, Extension*) { return 0; };
}
void no_instances(Interface* interface) {
  GoodInit(interface, 7);
  interface->instance = [](std::uint32_t, int, char*, Instances**, Extension*) { return 0; };
}
void negative_instances(Interface* interface) {
  GoodInit(interface, 7);
  interface->instance = [](std::uint32_t, int, char*, Instances** out, Extension*) {
    *out = New<Instances>();
    (*out)->numinst = -5;
    return 0;
  };
}
void no_label_sets(Interface* interface) {
  GoodInit(interface, 7);
  interface->label = [](int, int, LabelSet**, Extension*) { return 1; };
}
void no_names(Interface* interface) {
  GoodInit(interface, 7);
  interface->name = [](std::uint32_t, char***, Extension*) { return INT_MAX; };
}
void no_states(Interface* interface) {
  GoodInit(interface, 7);
  interface->children = [](const char*, int, char*** names, int**, Extension*) {
    static const char* const kOne[] = {"one"};
    *names = NameBlock(kOne, 1);
    return 1;
  };
}

// Bad manners.
void prints(Interface* interface) {
  std::puts("init says hello");
  Spoil(interface, [](Result&) {
    std::puts("fetch says hello");
    std::fflush(stdout);
  });
}
void closes_stdout(Interface* interface) {
  Spoil(interface, [](Result&) { close(STDOUT_FILENO); });
}
void closes_channel(Interface* interface) {
  Spoil(interface, [](Result&) {
    for (int number = 0; number < 64; ++number) {
      if (number != STDERR_FILENO) close(number);
    }
  });
}
}
