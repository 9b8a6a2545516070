// SPDX-License-Identifier: Apache-2.0
#include "validator/check/disclosure/private_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace pmproof::validator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kHost = "build7.acme.example";

std::vector<std::pair<Private, std::string>> Found(std::string_view text) {
  std::vector<std::pair<Private, std::string>> found;
  for (const PrivatePart& part : PrivateParts(text, kHost))
    found.emplace_back(part.kind, text.substr(part.begin, part.length));
  return found;
}

TEST(PrivateTextTest, AddressesAreFoundWhereverTheyStand) {
  EXPECT_THAT(Found("10.1.2.3"), ElementsAre(Pair(Private::kAddress, "10.1.2.3")));
  EXPECT_THAT(Found("nc -l 192.168.0.17:8080, peer=172.16.0.1."),
              ElementsAre(Pair(Private::kAddress, "192.168.0.17:8080"),
                          Pair(Private::kAddress, "172.16.0.1")));
  EXPECT_THAT(Found("http://10.0.0.9/x"), ElementsAre(Pair(Private::kAddress, "10.0.0.9")));
  EXPECT_THAT(Found("addr:10.0.0.9"), ElementsAre(Pair(Private::kAddress, "10.0.0.9")));
  EXPECT_THAT(Found("fe80::1ff:fe23:4567:890a%eth0"),
              ElementsAre(Pair(Private::kAddress, "fe80::1ff:fe23:4567:890a%eth0")));
  EXPECT_THAT(Found("[2001:db8:0:1:2:3:4:5]:80"),
              ElementsAre(Pair(Private::kAddress, "2001:db8:0:1:2:3:4:5")));
  EXPECT_THAT(Found("link 52:54:00:ab:cd:ef up"),
              ElementsAre(Pair(Private::kAddress, "52:54:00:ab:cd:ef")));
}

TEST(PrivateTextTest, WhatEveryMachineHasTellsNothing) {
  for (const char* text : {"127.0.0.1",
                           "0.0.0.0",
                           "255.255.255.255",
                           "::1",
                           "::",
                           "00:00:00:00:00:00",
                           "ff:ff:ff:ff:ff:ff",
                           "localhost",
                           "12:34:56",
                           "1.2.3",
                           "1.2.3.4.5",
                           "1.2.3.256",
                           "10..1.2",
                           "std::string",
                           "abc::def",
                           "getty@tty1.service",
                           "user@1000.slice",
                           "a@",
                           "@b",
                           "",
                           "/home/",
                           "deadbeef",
                           "2024-01-02",
                           "00001234"}) {
    EXPECT_THAT(Found(text), IsEmpty()) << text;
  }
}

TEST(PrivateTextTest, TheArchivesOwnHostIsFoundInFullAndInShort) {
  EXPECT_THAT(Found("ssh BUILD7.acme.example:22"),
              ElementsAre(Pair(Private::kHost, "BUILD7.acme.example:22")));
  EXPECT_THAT(Found("on build7."), ElementsAre(Pair(Private::kHost, "build7")));
  EXPECT_THAT(Found("build77 xbuild7"), IsEmpty());
  EXPECT_TRUE(PrivateParts("the pc is on", "pc").empty());
  EXPECT_TRUE(PrivateParts("localhost", "localhost").empty());
}

TEST(PrivateTextTest, PeopleAndTheirHomes) {
  EXPECT_THAT(Found("git --author=ann.b+x@example.org"),
              ElementsAre(Pair(Private::kUser, "ann.b+x@example.org")));
  EXPECT_THAT(Found("rsync ann@backup:/x"), ElementsAre(Pair(Private::kUser, "ann@backup")));
  EXPECT_THAT(Found("vi /home/ann/notes /Users/bob"),
              ElementsAre(Pair(Private::kPath, "/home/ann"), Pair(Private::kPath, "/Users/bob")));
}

TEST(PrivateTextTest, Identifiers) {
  EXPECT_THAT(Found("root=UUID=123e4567-e89b-12d3-a456-426614174000"),
              ElementsAre(Pair(Private::kIdentifier, "123e4567-e89b-12d3-a456-426614174000")));
  EXPECT_THAT(Found("0123456789abcdef0123456789abcdef"),
              ElementsAre(Pair(Private::kIdentifier, "0123456789abcdef0123456789abcdef")));
}

TEST(PrivateTextTest, NamesSayWhatIsInAField) {
  EXPECT_EQ(PrivateByName("proc.psinfo.psargs"), Private::kCommand);
  EXPECT_EQ(PrivateByName("hotproc.psinfo.environ"), Private::kCommand);
  EXPECT_EQ(PrivateByName("kernel.uname.nodename"), Private::kHost);
  EXPECT_EQ(PrivateByName("network.interface.inet_addr"), Private::kAddress);
  EXPECT_EQ(PrivateByName("proc.id.uid_nm"), Private::kUser);
  EXPECT_EQ(PrivateByName("machineid"), Private::kIdentifier);
  EXPECT_EQ(PrivateByName("kernel.all.load"), std::nullopt);
  EXPECT_EQ(PrivateByName("disk.dev.commands"), std::nullopt);
  EXPECT_EQ(PrivateByName("disk.wwid.scheduler"), std::nullopt);
  EXPECT_TRUE(NumbersOfUsers("proc.id.uid"));
  EXPECT_FALSE(NumbersOfUsers("kernel.all.pid"));
  EXPECT_TRUE(LooksLikeProcess("001234 /usr/bin/ssh ann@backup"));
  EXPECT_FALSE(LooksLikeProcess("001234"));
  EXPECT_FALSE(LooksLikeProcess("001234 "));
  EXPECT_FALSE(LooksLikeProcess("15 minute"));
  EXPECT_FALSE(LooksLikeProcess("one minute"));
}

}  // namespace
}  // namespace pmproof::validator
