// SPDX-License-Identifier: Apache-2.0
#include "validator/check/disclosure/private_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace pmproof::validator {
namespace {

constexpr std::size_t kShortestHost = 4;     // shorter ones are in too many words
constexpr std::size_t kDigitsOfProcess = 5;  // at least; "15 minute" is no process

struct Named {
  std::string_view name;
  Private kind;
};

// Last components of names.
constexpr Named kNamed[] = {
    {"host", Private::kHost},
    {"pmcd_host", Private::kHost},
    {"hostname", Private::kHost},
    {"nodename", Private::kHost},
    {"domainname", Private::kHost},
    {"fqdn", Private::kHost},
    {"inet_addr", Private::kAddress},
    {"ipv6_addr", Private::kAddress},
    {"hw_addr", Private::kAddress},
    {"user", Private::kUser},
    {"users", Private::kUser},
    {"username", Private::kUser},
    {"userid", Private::kUser},
    {"groupid", Private::kUser},
    {"owner", Private::kUser},
    {"login", Private::kUser},
    {"uid_nm", Private::kUser},
    {"euid_nm", Private::kUser},
    {"suid_nm", Private::kUser},
    {"fsuid_nm", Private::kUser},
    {"gid_nm", Private::kUser},
    {"egid_nm", Private::kUser},
    {"sgid_nm", Private::kUser},
    {"fsgid_nm", Private::kUser},
    {"psargs", Private::kCommand},
    {"cmd", Private::kCommand},
    {"cmdline", Private::kCommand},
    {"command", Private::kCommand},
    {"environ", Private::kCommand},
    {"exe", Private::kCommand},
    {"cwd", Private::kPath},
    {"serial", Private::kIdentifier},
    {"serial_number", Private::kIdentifier},
    {"uuid", Private::kIdentifier},
    {"machineid", Private::kIdentifier},
    {"machine_id", Private::kIdentifier},
    {"boot_id", Private::kIdentifier},
    {"wwid", Private::kIdentifier},
};
constexpr std::string_view kUserNumbers[] = {"uid", "euid", "suid", "fsuid",
                                             "gid", "egid", "sgid", "fsgid"};
// "getty@tty1.service" is no address of mail.
constexpr std::string_view kUnits[] = {".service", ".socket", ".slice",  ".scope", ".mount",
                                       ".timer",   ".target", ".device", ".swap",  ".path"};
constexpr std::string_view kHomes[] = {"/home/", "/Users/", "/root/"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualNames(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return Small(x) == Small(y); });
}

// Of words, such as hosts, addresses and numbers.
bool InWord(char c) {
  return IsDigit(c) || IsLetter(c) || c == '.' || c == ':' || c == '_' || c == '@' || c == '-' ||
         c == '+' || c == '%';
}

std::string_view LastComponent(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// Calls visit(part) for each part between two separators, also empty ones.
template <typename Visit>
void Split(std::string_view text, char separator, Visit&& visit) {
  for (;;) {
    const std::size_t end = text.find(separator);
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

bool IsIpv4(std::string_view word) {
  word = word.substr(0, word.find(':'));  // a port
  std::size_t parts = 0;
  std::array<unsigned, 4> numbers = {};
  bool sound = true;
  Split(word, '.', [&](std::string_view part) {
    if (parts >= 4 || part.empty() || part.size() > 3 || !std::ranges::all_of(part, IsDigit)) {
      sound = false;
      return;
    }
    std::from_chars(part.data(), part.data() + part.size(), numbers[parts++]);
  });
  if (!sound || parts != 4 || std::ranges::any_of(numbers, [](unsigned n) { return n > 255; }))
    return false;
  return numbers[0] != 0 && numbers[0] != 127 && numbers[0] != 255;
}

bool IsIpv6(std::string_view word) {
  word = word.substr(0, word.find('%'));  // the interface of a link-local one
  const std::size_t colons = static_cast<std::size_t>(std::ranges::count(word, ':'));
  const std::size_t gap = word.find("::");
  if (gap == std::string_view::npos ? colons != 7 : colons > 7 || colons < 2) return false;
  if (gap != std::string_view::npos && word.find("::", gap + 1) != std::string_view::npos)
    return false;
  std::size_t digits = 0;
  bool sound = true;
  Split(word, ':', [&](std::string_view part) {
    sound = sound && part.size() <= 4 && std::ranges::all_of(part, IsHex);
    digits += static_cast<std::size_t>(std::ranges::count_if(part, IsDigit));
  });
  // Identifiers of programs, such as "abc::def", have letters alone.
  return sound && digits > 0 && word != "::1" && word != "::";
}

bool IsHardwareAddress(std::string_view word) {
  if (word.size() != 17) return false;
  bool zeros = true;
  bool ones = true;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 3 == 2) {
      if (word[i] != word[2] || (word[i] != ':' && word[i] != '-')) return false;
      continue;
    }
    if (!IsHex(word[i])) return false;
    zeros = zeros && word[i] == '0';
    ones = ones && Small(word[i]) == 'f';
  }
  return !zeros && !ones;
}

bool IsIdentifier(std::string_view word) {
  if (word.size() == 32 || word.size() == 64)
    return std::ranges::all_of(word, IsHex) && std::ranges::any_of(word, IsDigit);
  if (word.size() != 36) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? word[i] != '-' : !IsHex(word[i])) return false;
  }
  return true;
}

bool IsMail(std::string_view word) {
  const std::size_t at = word.find('@');
  if (at == std::string_view::npos || at == 0 || at + 1 >= word.size()) return false;
  const std::string_view domain = word.substr(at + 1);
  if (!std::ranges::any_of(domain, IsLetter) || domain.find('@') != std::string_view::npos)
    return false;
  return std::ranges::none_of(kUnits, [&](std::string_view unit) { return word.ends_with(unit); });
}

bool IsHost(std::string_view word, std::string_view host) {
  word = word.substr(0, word.find(':'));
  const std::string_view name = host.substr(0, host.find('.'));
  if (name.size() < kShortestHost || EqualNames(name, "localhost")) return false;
  return EqualNames(word, host) || EqualNames(word, name);
}

// Whether the last character of a word is not part of it. "2001:db8::" is an address.
bool IsPunctuation(std::string_view word) {
  return word.ends_with('.') || word.ends_with('-') ||
         (word.ends_with(':') && !word.ends_with("::"));
}

std::optional<Private> KindOf(std::string_view word, std::string_view host) {
  if (IsHost(word, host)) return Private::kHost;
  if (IsHardwareAddress(word) || IsIpv4(word) || IsIpv6(word)) return Private::kAddress;
  if (IsIdentifier(word)) return Private::kIdentifier;
  if (IsMail(word)) return Private::kUser;
  return std::nullopt;
}

// Up to the end of the directory: "/home/NAME".
void AddHomes(std::string_view text, std::vector<PrivatePart>& parts) {
  for (const std::string_view home : kHomes) {
    for (std::size_t at = text.find(home); at != std::string_view::npos;
         at = text.find(home, at + home.size())) {
      std::size_t end = at + home.size();
      while (end < text.size() && InWord(text[end]) && text[end] != ':') ++end;
      if (end > at + home.size()) parts.push_back({Private::kPath, at, end - at});
    }
  }
}

}  // namespace

std::optional<Private> PrivateByName(std::string_view name) {
  const auto known = std::ranges::find(kNamed, LastComponent(name), &Named::name);
  return known == std::end(kNamed) ? std::nullopt : std::optional(known->kind);
}

bool NumbersOfUsers(std::string_view name) {
  return std::ranges::find(kUserNumbers, LastComponent(name)) != std::end(kUserNumbers);
}

bool LooksLikeProcess(std::string_view name) {
  const std::size_t blank = name.find(' ');
  return blank != std::string_view::npos && blank >= kDigitsOfProcess && blank + 1 < name.size() &&
         std::ranges::all_of(name.substr(0, blank), IsDigit);
}

std::vector<PrivatePart> PrivateParts(std::string_view text, std::string_view host) {
  std::vector<PrivatePart> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    if (!InWord(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && InWord(text[end])) ++end;
    const std::size_t next = end;
    while (end > begin && IsPunctuation(text.substr(begin, end - begin))) --end;
    // "addr:10.0.0.1": with what stands before a colon, and without it.
    const std::string_view word = text.substr(begin, end - begin);
    if (const auto kind = KindOf(word, host)) {
      parts.push_back({*kind, begin, word.size()});
    } else if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
      const std::string_view rest = word.substr(colon + 1);
      if (const auto kind_of_rest = KindOf(rest, host))
        parts.push_back({*kind_of_rest, begin + colon + 1, rest.size()});
    }
    begin = next;
  }
  AddHomes(text, parts);
  return parts;
}

}  // namespace pmproof::validator
