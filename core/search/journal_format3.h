// Internal: journals of format 3, in which a mutant is called by a sentence. They are read for
// looking only: nothing is taken out of the sentences, each becomes a mutant with one move that
// says it as it stands.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/search/json_fields.h"

namespace pet::journal {

inline constexpr const char* kFormat3 = "pet-journal/3";

class Format3 {
 public:
  // Both are given the lines behind the first, in their order, and throw BadLine for one that lacks
  // what every line of its kind had.
  void learn(const Read& line);  // all of them, before any is translated
  // What it says in today's format. A mutant is told of in front of the first line that names it.
  std::vector<Read> translate(Read&& line);

 private:
  using Key = std::pair<std::size_t, std::string>;  // subprogram, and what the mutant was called

  std::size_t id_of(std::size_t subprogram, const std::string& how, std::vector<Read>& told,
                    const Read& parent = nullptr);
  std::string corrected_name(std::size_t subprogram, const Read& line) const;

  std::map<Key, std::size_t> ids_;
  std::map<std::size_t, std::size_t> next_;
  std::map<Key, std::string> measured_;  // by digest of the program: how it was called
};

}  // namespace pet::journal
