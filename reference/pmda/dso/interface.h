// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_INTERFACE_H_
#define PMPROOF_REFERENCE_PMDA_DSO_INTERFACE_H_

#include <cstddef>
#include <cstdint>

// What a shared-object agent and its host share: structures in memory, x86-64 Linux (pmda.md
// section 11). Written from the specification's tables; the numbers of the assertions are theirs.
// Integers are in host order, identifiers the words of the wire.

namespace pmproof::dso {

struct Desc {  // 11.3 pmDesc
  std::uint32_t pmid;
  std::int32_t type;
  std::uint32_t indom;
  std::int32_t semantics;
  std::uint32_t units;
};
static_assert(sizeof(Desc) == 20);

// A value block: length (4 and the body's) in the low 24 bits, type in the top 8, then the body
// with its numbers in host order.
struct ValueBlock {
  std::uint32_t header;
  std::uint8_t body[1];  // as many as the header says
};
static_assert(offsetof(ValueBlock, body) == 4);

struct Value {
  std::int32_t instance;
  union {
    std::int32_t word;  // in situ
    ValueBlock* block;
  } of;
};
static_assert(sizeof(Value) == 16 && offsetof(Value, of) == 8);

struct ValueSet {
  std::uint32_t pmid;
  std::int32_t numval;
  std::int32_t valfmt;  // 0 in situ, 1 block on the heap, 2 static block; only with numval > 0
  Value values[1];      // numval of them
};
static_assert(offsetof(ValueSet, numval) == 4 && offsetof(ValueSet, valfmt) == 8 &&
              offsetof(ValueSet, values) == 16);

struct Result {         // pmdaResult
  std::int64_t state;   // changes since the last fetch, no time (DSO-010)
  std::int64_t unused;  // 0
  std::int32_t numpmid;
  ValueSet* sets[1];  // numpmid of them
};
static_assert(offsetof(Result, unused) == 8 && offsetof(Result, numpmid) == 16 &&
              offsetof(Result, sets) == 24);

struct ProfileEntry {
  std::uint32_t indom;
  std::int32_t state;  // 0 include, 1 exclude
  std::int32_t count;
  std::int32_t* instances;
};
static_assert(sizeof(ProfileEntry) == 24 && offsetof(ProfileEntry, instances) == 16);

struct Profile {
  std::int32_t state;
  std::int32_t count;
  ProfileEntry* entries;
};
static_assert(sizeof(Profile) == 16 && offsetof(Profile, entries) == 8);

struct Instances {  // pmInResult
  std::uint32_t indom;
  std::int32_t numinst;
  std::int32_t* numbers;  // null in the answer to "by number"
  char** names;           // null in the answer to "by name"
};
static_assert(sizeof(Instances) == 24 && offsetof(Instances, numbers) == 8 &&
              offsetof(Instances, names) == 16);

struct Label {
  std::uint16_t name_offset;
  std::uint8_t name_length;
  std::uint8_t flags;
  std::uint16_t value_offset;
  std::uint16_t value_length;
};
static_assert(sizeof(Label) == 8 && offsetof(Label, flags) == 3 &&
              offsetof(Label, value_length) == 6);

struct LabelSet {
  std::int32_t instance;
  std::int32_t nlabels;  // negative: an error
  char* json;
  std::uint16_t json_length;
  std::uint16_t flags;
  Label* labels;
  void* hash;
};
static_assert(sizeof(LabelSet) == 40 && offsetof(LabelSet, json) == 8 &&
              offsetof(LabelSet, json_length) == 16 && offsetof(LabelSet, flags) == 18 &&
              offsetof(LabelSet, labels) == 24 && offsetof(LabelSet, hash) == 32);

// The agent's private block (11.2), of which a host uses two members.
struct Extension {
  unsigned char before_context[168];
  std::int32_t context;                     // interface 5+
  void (*end_of_client)(std::int32_t ctx);  // interface 5+, may be null
  unsigned char behind[8];
};
static_assert(sizeof(Extension) == 192 && offsetof(Extension, context) == 168 &&
              offsetof(Extension, end_of_client) == 176);

// 11.1. A host reads no function that the interface version does not have (DSO-001).
struct Interface {
  std::int32_t domain;
  std::uint8_t version;  // of the interface: 2..7 (DSO-002)
  std::uint8_t pmapi;    // DSO-003
  std::uint16_t flags;   // features wanted, as in CREDS (PDU-130)
  std::int32_t status;
  Extension* ext;

  int (*profile)(Profile*, Extension*);
  int (*fetch)(int, std::uint32_t*, Result**, Extension*);
  int (*desc)(std::uint32_t, Desc*, Extension*);
  int (*instance)(std::uint32_t, int, char*, Instances**, Extension*);
  int (*text)(int, int, char**, Extension*);
  int (*store)(Result*, Extension*);
  // 4+
  int (*pmid)(const char*, std::uint32_t*, Extension*);
  int (*name)(std::uint32_t, char***, Extension*);
  int (*children)(const char*, int, char***, int**, Extension*);
  // 6+
  int (*attribute)(int, int, const char*, int, Extension*);
  // 7
  int (*label)(int, int, LabelSet**, Extension*);
};
static_assert(sizeof(Interface) == 112 && offsetof(Interface, version) == 4 &&
              offsetof(Interface, pmapi) == 5 && offsetof(Interface, flags) == 6 &&
              offsetof(Interface, status) == 8 && offsetof(Interface, ext) == 16 &&
              offsetof(Interface, profile) == 24 && offsetof(Interface, store) == 64 &&
              offsetof(Interface, pmid) == 72 && offsetof(Interface, children) == 88 &&
              offsetof(Interface, attribute) == 96 && offsetof(Interface, label) == 104);

using Init = void (*)(Interface*);

// DSO-020: what a host puts there before init.
inline constexpr std::uint8_t kVersionOffered = 0xff;
inline constexpr std::uint8_t kPmapiOffered = 0xfd;

// DSO-002: the first interface version with ...
inline constexpr int kOldestVersion = 2;
inline constexpr int kNames = 4;       // pmid, name, children
inline constexpr int kContext = 5;     // Extension::context and end_of_client
inline constexpr int kAttributes = 6;  // attribute
inline constexpr int kLabels = 7;      // label
inline constexpr int kNewestVersion = 7;

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_INTERFACE_H_
