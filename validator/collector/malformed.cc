// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/malformed.h"

namespace pmproof::validator::collector {
namespace {

constexpr std::uint32_t kNumfetch = 0x3f400000;
constexpr std::uint32_t kColors = 0x3f400000;  // the instance domain

// A RESULT of one value set of simple.numfetch with one value; then `rest`.
Octets Store(std::uint32_t length, std::uint32_t numval, std::uint32_t format, std::uint32_t value,
             std::initializer_list<std::uint32_t> rest = {}) {
  Octets bytes = Words({length, 0x7001, 0, 0, 0, 1, kNumfetch, numval, format, 0xffffffff, value});
  const Octets more = Words(rest);
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

Octets LongAttribute() {
  Octets bytes = Words({0x1398, 0x7011, 0, 11});
  bytes.resize(0x1398, 'x');
  return bytes;
}

}  // namespace

std::vector<Malformed> MalformedProfiles() {
  return {
      {"PROFILE that lacks its 5 entries", Words({0x1c, 0x7002, 0, 0, 0, 5, 0})},
      {"PROFILE with nprof -1", Words({0x1c, 0x7002, 0, 0, 0, 0xffffffff, 0})},
      {"PROFILE that lacks its 1000 instances",
       Words({0x2c, 0x7002, 0, 0, 0, 1, 0, kColors, 1, 1000, 0})},
      {"PROFILE of context -1", Words({0x1c, 0x7002, 0, 0xffffffff, 0, 0, 0})},
  };
}

std::vector<Malformed> MalformedFetches() {
  const auto fetch = [](std::uint32_t length, std::uint32_t count, bool two = false) {
    Octets bytes = Words({length, 0x7003, 0, 0, 0, 0, count});
    const Octets ids = two ? Words({kNumfetch, kNumfetch}) : Words({kNumfetch});
    bytes.insert(bytes.end(), ids.begin(), ids.end());
    return bytes;
  };
  return {
      {"FETCH of 28 bytes, no PMIDs", Words({0x1c, 0x7003, 0, 0, 0, 0, 0})},
      {"FETCH with npmid 0 and one PMID", fetch(0x20, 0)},
      {"FETCH with npmid 2 and one PMID", fetch(0x20, 2)},
      {"FETCH with npmid 1 and two PMIDs", fetch(0x24, 1, true)},
      {"FETCH with npmid -1", fetch(0x20, 0xffffffff)},
      {"FETCH with npmid 0x7fffffff", fetch(0x20, 0x7fffffff)},
      {"FETCH with npmid 0x40000001", fetch(0x20, 0x40000001)},
  };
}

std::vector<Malformed> MalformedStores() {
  return {
      {"RESULT of 20 bytes", Words({0x14, 0x7001, 0, 0, 0})},
      {"RESULT with npmid -1", Words({0x18, 0x7001, 0, 0, 0, 0xffffffff})},
      {"RESULT with npmid 1 and no value set", Words({0x18, 0x7001, 0, 0, 0, 1})},
      {"RESULT with npmid 0x40000001", Words({0x18, 0x7001, 0, 0, 0, 0x40000001})},
      {"RESULT with numval 5 and one value", Store(0x2c, 5, 0, 1)},
      {"RESULT with valfmt 9", Store(0x2c, 1, 9, 5)},
      {"RESULT with a block at offset 0", Store(0x2c, 1, 1, 0)},
      {"RESULT with a block past its end", Store(0x2c, 1, 1, 100)},
      {"RESULT with a block inside its header", Store(0x2c, 1, 1, 2)},
      {"RESULT with a block of vlen 0", Store(0x30, 1, 1, 0xb, {0x06000000})},
      {"RESULT with a block of vlen 3", Store(0x30, 1, 1, 0xb, {0x06000003})},
      {"RESULT with a block that passes its end", Store(0x30, 1, 1, 0xb, {0x06ffffff})},
      {"RESULT with trailing bytes", Store(0x30, 1, 0, 5, {0})},
      {"RESULT with two values that share a block",
       Words({0x40, 0x7001, 0, 0, 0, 1, 0x3f400402, 2, 1, 0, 0xd, 1, 0xd, 0x0500000c, 0, 0})},
  };
}

std::vector<Malformed> UnexpectedPdus() {
  return {
      {"a PDU of the unknown type 0x7fff", Words({0xc, 0x7fff, 0})},
      {"a PDU of the unassigned type 0x700b", Words({0xc, 0x700b, 0})},
      {"CONTROL_REQ", Words({0x10, 0x700a, 0, 0})},
      {"DESC from a client", Words({0x20, 0x7005, 0, 0, 0, 0, 0, 0})},
      {"ERROR with code 0 from a client", Words({0x10, 0x7000, 0, 0})},
      {"ERROR with PM_ERR_NOTCONN from a client", Words({0x10, 0x7000, 0, 0xffffcf99})},
      {"ERROR of 12 bytes from a client", Words({0xc, 0x7000, 0})},
      {"ATTR of 12 bytes", Words({0xc, 0x7011, 0})},
      {"ATTR without value", Words({0x10, 0x7011, 0, 11})},
      {"ATTR with a value of 5000 bytes", LongAttribute()},
  };
}

std::vector<Malformed> BrokenFrames() {
  return {
      {"a PDU of type 0", Words({0xc, 0, 0})},
      {"a PDU of type 0x80000000", Words({0xc, 0x80000000, 0})},
      {"a PDU of length 0", Words({0, 0x7004, 0})},
      {"a PDU of length 11", Words({0xb, 0x7004, 0})},
      {"a PDU of length 0x80000010", Words({0x80000010, 0x7004, 0})},
      {"a PDU of length 0x7fffffff", Words({0x7fffffff, 0x7004, 0})},
  };
}

std::vector<Malformed> WrongLengths() {
  return {
      {"DESC_REQ of 12 bytes", Words({0xc, 0x7004, 0})},
      {"DESC_REQ of 20 bytes", Words({0x14, 0x7004, 0, kNumfetch, 0})},
      {"TEXT_REQ of 16 bytes", Words({0x10, 0x7008, 0, kNumfetch})},
      {"LABEL_REQ of 16 bytes", Words({0x10, 0x7012, 0, kNumfetch})},
      {"INSTANCE_REQ of 28 bytes", Words({0x1c, 0x7006, 0, kColors, 0, 0, 0xffffffff})},
      {"INSTANCE_REQ without its name of 100 bytes",
       Words({0x20, 0x7006, 0, kColors, 0, 0, 0xffffffff, 100})},
      {"INSTANCE_REQ with namelen -1",
       Words({0x20, 0x7006, 0, kColors, 0, 0, 0xffffffff, 0xffffffff})},
  };
}

std::vector<Malformed> OddLengths() {
  Octets unpadded = Words({0x23, 0x7006, 0, kColors, 0, 0, 0xffffffff, 3});
  unpadded.insert(unpadded.end(), {'r', 'e', 'd'});
  return {
      {"TEXT_REQ of 24 bytes", Words({0x18, 0x7008, 0, kNumfetch, 5, 0})},
      {"LABEL_REQ of 24 bytes", Words({0x18, 0x7012, 0, kNumfetch, 16, 0})},
      {"INSTANCE_REQ with a name that is not padded", unpadded},
  };
}

}  // namespace pmproof::validator::collector
