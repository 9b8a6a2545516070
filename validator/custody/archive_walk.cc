// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/archive_walk.h"

#include <algorithm>
#include <utility>

namespace pmproof::validator {
namespace {

std::string NameOf(const archive::ArchiveName& archive) {
  return archive::JoinPath(archive.directory, archive.base);
}

bool IsWithin(const std::string& path, const std::string& directory) {
  return directory == "." || path == directory || path.starts_with(directory + "/");
}

class Walk {
 public:
  Walk(const Tree& tree, const std::function<void(WalkedArchive)>& visit,
       const std::function<void(const Status&)>& fail)
      : tree_(tree), visit_(visit), fail_(fail) {}

  void Run(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) Sort(argument);
    std::ranges::sort(directories_, [](const std::string& a, const std::string& b) {
      return ComesBefore(First(a), First(b));
    });
    std::ranges::sort(archives_, [](const auto& a, const auto& b) { return ComesBefore(a, b); });
    archives_.erase(std::unique(archives_.begin(), archives_.end()), archives_.end());
    auto archive = archives_.begin();
    std::string walked;
    for (const std::string& directory : directories_) {
      if (!walked.empty() && IsWithin(directory, walked)) continue;
      walked = directory;
      for (; archive != archives_.end() && ComesBefore(*archive, First(directory)); ++archive) {
        VisitAlone(*archive);
      }
      // These come with the directory.
      while (archive != archives_.end() && IsWithin(DirectoryOf(*archive), directory)) ++archive;
      Descend(directory);
    }
    for (; archive != archives_.end(); ++archive) VisitAlone(*archive);
  }

 private:
  void Sort(const std::string& argument) {
    const auto kind = tree_.KindOf(argument);
    if (kind && *kind == archive::DirectoryEntry::Kind::kDirectory) {
      directories_.push_back(argument);
      return;
    }
    const archive::ArchiveNames found = archive::ListArchives(tree_, {argument}, true);
    for (const Status& error : found.errors) fail_(error);
    for (const std::string& name : found.names) {
      archives_.push_back(NameOf(archive::ResolveName(tree_, name)));
    }
  }

  // What comes before each archive that a walk of the directory gives, and after all others that
  // come before one of these.
  static std::string First(const std::string& directory) {
    return directory == "." ? "" : directory + "/";
  }

  void VisitAlone(const std::string& name) {
    const std::string directory = DirectoryOf(name);
    if (!last_ || !last_->contains(directory)) {
      auto entries = tree_.List(directory);
      if (!entries) return fail_(entries.error());
      auto listings = std::make_shared<archive::Listings>();
      listings->emplace(directory, *std::move(entries));
      last_ = std::move(listings);
    }
    visit_({name, last_});
  }

  void Descend(const std::string& top) {
    last_.reset();
    std::vector<std::string> pending = {top};
    bool any = false;
    bool failed = false;
    while (!pending.empty()) {
      const std::string directory = std::move(pending.back());
      pending.pop_back();
      archive::ArchiveNames found = archive::ListDirectory(tree_, directory);
      for (const Status& error : found.errors) fail_(error);
      failed = failed || !found.errors.empty();
      const auto listings = std::make_shared<archive::Listings>(std::move(found.listings));
      for (const std::string& name : found.names) {
        any = true;
        visit_({NameOf(archive::ResolveName(tree_, name)), listings});
      }
      const auto entries = listings->find(directory);
      if (entries == listings->end()) continue;
      for (auto entry = entries->second.rbegin(); entry != entries->second.rend(); ++entry) {
        if (entry->kind != archive::DirectoryEntry::Kind::kDirectory) continue;
        pending.push_back(archive::JoinPath(directory, entry->name));
      }
    }
    if (any || failed) return;
    fail_(
        {.kind = Status::Kind::kNotFound, .file = top, .message = "no archive in this directory"});
  }

  const Tree& tree_;
  const std::function<void(WalkedArchive)>& visit_;
  const std::function<void(const Status&)>& fail_;
  std::vector<std::string> directories_;
  std::vector<std::string> archives_;
  std::shared_ptr<const archive::Listings> last_;  // of archives that are named one by one
};

}  // namespace

void WalkArchives(const Tree& tree, const std::vector<std::string>& arguments,
                  const std::function<void(WalkedArchive)>& visit,
                  const std::function<void(const Status&)>& fail) {
  Walk(tree, visit, fail).Run(arguments);
}

}  // namespace pmproof::validator
