// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <utility>

#include "reference/core/printable.h"
#include "reference/core/utf8.h"
#include "validator/policy/document.h"
#include "validator/policy/toml_scalar.h"

// TOML 1.0. No library that Debian has reads it from anybody: one is undefined at a letter outside
// of ASCII, the others nest as deep as the document says.

namespace pmproof::validator::policy {
namespace {

constexpr std::size_t kMostMembers = 1000;  // of a table: they are looked up one by one

// What may be added to a table or list later.
enum class Made : std::uint8_t {
  kWhole,      // { } and [ ]: nothing
  kOnTheWay,   // a of [a.b]: anything, and its own [a]
  kByHeader,   // [a]: tables by headers
  kByHeaders,  // the list of [[a]]: items by headers
  kByDots,     // a of a.b = 1: members by dots below the same header, tables by headers
};

struct Item {
  Node node;  // without members and items
  Made made = Made::kWhole;
  std::uint64_t section = 0;  // of kByDots: the header that it is below
  int depth = 1;
  std::vector<std::unique_ptr<Item>> children;
};

Node TakeTree(Item item) {
  std::vector<Node>& to =
      item.node.kind == Node::Kind::kTable ? item.node.members : item.node.items;
  to.reserve(item.children.size());
  for (std::unique_ptr<Item>& child : item.children) to.push_back(TakeTree(std::move(*child)));
  return std::move(item.node);
}

struct Key {
  std::string name;
  std::uint64_t line;
};

bool IsOneOf(char c, std::string_view of) { return of.find(c) != std::string_view::npos; }

bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsControl(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; }

void AppendUtf8(std::uint32_t code_point, std::string* to) {
  const auto tail = [&](int shift) {
    *to += static_cast<char>(0x80 | ((code_point >> shift) & 0x3f));
  };
  if (code_point < 0x80) {
    *to += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *to += static_cast<char>(0xc0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    *to += static_cast<char>(0xe0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    *to += static_cast<char>(0xf0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

class TomlReader {
 public:
  TomlReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    root_.node.kind = Node::Kind::kTable;
    root_.node.line = 1;
    root_.made = Made::kByHeader;
  }

  Result<Node> Read() && {
    const std::size_t invalid = FirstInvalidUtf8(text_);
    if (invalid < text_.size()) {
      return tl::unexpected(
          WrongAtLine(file_, LineAt(text_, invalid), "is not TOML: a byte is not UTF-8"));
    }
    Item* table = &root_;
    while (!error_ && !AtEnd()) {
      SkipBlanks();
      if (!AtEnd() && !AtNewline() && Peek() != '#') {
        if (!(Peek() == '[' ? Header(&table) : KeyValue(table))) break;
      }
      EndLine();
    }
    if (error_) return tl::unexpected(*std::move(error_));
    return TakeTree(std::move(root_));
  }

 private:
  bool Fail(const std::string& what, std::uint64_t line) {
    if (!error_) error_ = WrongAtLine(file_, line, what);
    return false;
  }
  bool NotToml(const std::string& what) { return Fail("is not TOML: " + what, line_); }

  bool AtEnd() const { return at_ == text_.size(); }
  // The character, and 0 at the end, which a document may not have.
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool AtNewline() const { return Peek() == '\n' || (Peek() == '\r' && Peek(1) == '\n'); }
  bool At(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void PassNewline() {
    at_ += Peek() == '\r' ? 2 : 1;
    ++line_;
  }

  void SkipBlanks() {
    while (IsOneOf(Peek(), " \t")) ++at_;
  }

  bool SkipComment() {
    if (Peek() != '#') return true;
    for (; !AtEnd() && !AtNewline(); ++at_) {
      if (IsControl(Peek())) return NotToml("a comment has a control character");
    }
    return true;
  }

  bool EndLine() {
    SkipBlanks();
    if (!SkipComment()) return false;
    if (AtEnd()) return true;
    if (!AtNewline()) return NotToml("the line has more than it may");
    PassNewline();
    return true;
  }

  // What may stand between the items of a list.
  bool SkipLines() {
    while (true) {
      SkipBlanks();
      if (!SkipComment()) return false;
      if (!AtNewline()) return true;
      PassNewline();
    }
  }

  bool Expect(char c) {
    if (AtEnd() || Peek() != c) return NotToml(std::string("'") + c + "' is missing");
    ++at_;
    return true;
  }

  bool Header(Item** table) {
    const bool is_list = At("[[");
    const std::uint64_t line = line_;
    at_ += is_list ? 2 : 1;
    SkipBlanks();
    std::vector<Key> path;
    if (!Path(&path)) return false;
    if (!Expect(']') || (is_list && !Expect(']'))) return false;
    ++section_;
    Item* item = &root_;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      Item* next = Find(*item, path[i].name);
      if (next == nullptr) {
        next = Add(item, path[i], Node::Kind::kTable, Made::kOnTheWay);
      } else if (next->made == Made::kWhole) {
        return NotToml(Printable(path[i].name) + " cannot be extended");
      } else if (next->made == Made::kByHeaders) {
        next = next->children.back().get();
      }
      if (next == nullptr) return false;
      item = next;
    }
    Item* const last = Find(*item, path.back().name);
    *table =
        is_list ? NextOfList(item, last, path.back(), line) : NewTable(item, last, path.back());
    return *table != nullptr;
  }

  // Of [a]; `known` is what has its name.
  Item* NewTable(Item* parent, Item* known, const Key& key) {
    if (known == nullptr) return Add(parent, key, Node::Kind::kTable, Made::kByHeader);
    if (known->made != Made::kOnTheWay) {
      NotToml(Printable(key.name) + " is defined twice");
      return nullptr;
    }
    known->made = Made::kByHeader;
    return known;
  }

  // Of [[a]].
  Item* NextOfList(Item* parent, Item* known, const Key& key, std::uint64_t line) {
    if (known == nullptr) {
      known = Add(parent, key, Node::Kind::kList, Made::kByHeaders);
      if (known == nullptr) return nullptr;
    } else if (known->made != Made::kByHeaders) {
      NotToml(Printable(key.name) + " is defined twice");
      return nullptr;
    }
    return Append(known, {"", line}, Node::Kind::kTable, Made::kByHeader);
  }

  bool KeyValue(Item* table) {
    std::vector<Key> path;
    if (!Path(&path) || !Expect('=')) return false;
    SkipBlanks();
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      Item* next = Find(*table, path[i].name);
      if (next == nullptr) {
        next = Add(table, path[i], Node::Kind::kTable, Made::kByDots);
        if (next == nullptr) return false;
      } else if (next->made != Made::kOnTheWay &&
                 (next->made != Made::kByDots || next->section != section_)) {
        return NotToml(Printable(path[i].name) + " cannot be extended");
      }
      next->made = Made::kByDots;
      next->section = section_;
      table = next;
    }
    if (Find(*table, path.back().name) != nullptr) {
      return NotToml(Printable(path.back().name) + " is defined twice");
    }
    Item* const item = Add(table, path.back(), Node::Kind::kOther, Made::kWhole);
    return item != nullptr && Value(item);
  }

  static Item* Find(const Item& table, std::string_view name) {
    for (const std::unique_ptr<Item>& member : table.children) {
      if (member->node.key == name) return member.get();
    }
    return nullptr;
  }

  // A new member of a table. Null, after Fail(), where there is no place for it.
  Item* Add(Item* table, const Key& key, Node::Kind kind, Made made) {
    if (table->children.size() < kMostMembers) return Append(table, key, kind, made);
    Fail("a table has more than " + std::to_string(kMostMembers) + " members", key.line);
    return nullptr;
  }

  Item* Append(Item* parent, const Key& key, Node::Kind kind, Made made) {
    if (parent->depth == kMostDepth) {
      Fail("is deeper than any part of a policy", key.line);
      return nullptr;
    }
    Item& item = *parent->children.emplace_back(std::make_unique<Item>());
    item.node.kind = kind;
    item.node.key = key.name;
    item.node.line = key.line;
    item.made = made;
    item.depth = parent->depth + 1;
    return &item;
  }

  // a."b".c, and the blanks after it.
  bool Path(std::vector<Key>* path) {
    while (true) {
      Key& key = path->emplace_back(Key{"", line_});
      if (IsOneOf(Peek(), "\"'")) {
        if (!QuotedText(&key.name)) return false;
      } else {
        const std::size_t begin = at_;
        while (IsAlphanumeric(Peek()) || IsOneOf(Peek(), "-_")) ++at_;
        if (at_ == begin) return NotToml("a name is missing");
        key.name = text_.substr(begin, at_ - begin);
      }
      SkipBlanks();
      if (Peek() != '.') return true;
      if (path->size() == std::size_t{kMostDepth}) {
        return Fail("is deeper than any part of a policy", line_);
      }
      ++at_;
      SkipBlanks();
    }
  }

  bool Value(Item* item) {
    if (At("\"\"\"") || At("'''")) {
      item->node.kind = Node::Kind::kText;
      return LongText(&item->node.text);
    }
    if (IsOneOf(Peek(), "\"'")) {
      item->node.kind = Node::Kind::kText;
      return QuotedText(&item->node.text);
    }
    if (Peek() == '[') return List(item);
    if (Peek() == '{') return InlineTable(item);
    return ScalarValue(item);
  }

  bool List(Item* item) {
    item->node.kind = Node::Kind::kList;
    ++at_;
    while (SkipLines()) {
      if (Peek() == ']') {
        ++at_;
        return true;
      }
      Item* const child = Append(item, {"", line_}, Node::Kind::kOther, Made::kWhole);
      if (child == nullptr || !Value(child) || !SkipLines()) return false;
      if (Peek() == ',') {
        ++at_;
      } else if (Peek() != ']') {
        return NotToml("a list is not closed");
      }
    }
    return false;
  }

  bool InlineTable(Item* item) {
    item->node.kind = Node::Kind::kTable;
    ++at_;
    SkipBlanks();
    if (Peek() == '}') {
      ++at_;
      return true;
    }
    while (true) {
      SkipBlanks();
      if (!KeyValue(item)) return false;
      SkipBlanks();
      if (Peek() != ',') return Expect('}');
      ++at_;
    }
  }

  bool ScalarValue(Item* item) {
    const std::size_t begin = at_;
    const auto pass = [&] {
      while (IsAlphanumeric(Peek()) || IsOneOf(Peek(), "+-_.:")) ++at_;
    };
    pass();
    // A blank may stand between a day and a time.
    if (at_ - begin == 10 && text_[begin + 4] == '-' && Peek() == ' ' && Peek(1) >= '0' &&
        Peek(1) <= '9') {
      ++at_;
      pass();
    }
    const std::string_view text = text_.substr(begin, at_ - begin);
    std::optional<Node> node = TomlScalar(text);
    if (!node) {
      return NotToml(text.empty() ? "a value is missing"
                                  : "this is not a value: " + Printable(text));
    }
    item->node.kind = node->kind;
    item->node.text = std::move(node->text);
    item->node.integer = node->integer;
    return true;
  }

  // "..." or '...', in one line.
  bool QuotedText(std::string* text) {
    const char quote = text_[at_++];
    while (Peek() != quote) {
      if (AtEnd() || AtNewline()) return NotToml("a text is not closed");
      if (!TextCharacter(quote == '"', text)) return false;
    }
    ++at_;
    return true;
  }

  bool LongText(std::string* text) {
    const char quote = Peek();
    const std::string_view end = quote == '"' ? "\"\"\"" : "'''";
    at_ += end.size();
    if (AtNewline()) PassNewline();
    while (!At(end)) {
      if (AtEnd()) return NotToml("a text is not closed");
      if (AtNewline()) {
        PassNewline();
        *text += '\n';
      } else if (quote == '"' && Peek() == '\\' && EndsLineAfter(1)) {
        ++at_;
        while (SkipBlanks(), AtNewline()) PassNewline();
      } else if (!TextCharacter(quote == '"', text)) {
        return false;
      }
    }
    at_ += end.size();
    // Of up to five quotes the last three end the text.
    for (int more = 0; more < 2 && Peek() == quote; ++more) {
      *text += quote;
      ++at_;
    }
    return true;
  }

  // Whether only blanks follow in the line.
  bool EndsLineAfter(std::size_t ahead) const {
    const std::size_t next = text_.find_first_not_of(" \t", at_ + ahead);
    if (next == std::string_view::npos) return false;
    return text_[next] == '\n' || text_.substr(next).starts_with("\r\n");
  }

  bool TextCharacter(bool has_escapes, std::string* text) {
    if (IsControl(Peek())) return NotToml("a text has a control character");
    if (has_escapes && Peek() == '\\') return Escape(text);
    *text += text_[at_++];
    return true;
  }

  bool Escape(std::string* text) {
    constexpr std::string_view kNames = "btnfr\"\\";
    constexpr std::string_view kMeanings = "\b\t\n\f\r\"\\";
    ++at_;
    const char name = Peek();
    if (const std::size_t i = kNames.find(name); !AtEnd() && i != std::string_view::npos) {
      *text += kMeanings[i];
      ++at_;
      return true;
    }
    if (name != 'u' && name != 'U') return NotToml("a text has an unknown escape");
    const std::size_t size = name == 'u' ? 4 : 8;
    const std::string digits(text_.substr(++at_, size));
    if (digits.size() < size ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
      return NotToml("an escape needs " + std::to_string(size) + " hexadecimal digits");
    }
    const auto code_point = static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
    if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point <= 0xdfff)) {
      return NotToml("an escape is not a character");
    }
    AppendUtf8(code_point, text);
    at_ += size;
    return true;
  }

  std::string_view text_;
  std::string file_;
  Item root_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t section_ = 0;  // how many headers there were
  std::optional<Status> error_;
};

}  // namespace

Result<Node> ReadToml(std::string_view text, const std::string& file) {
  return TomlReader(text, file).Read();
}

}  // namespace pmproof::validator::policy
