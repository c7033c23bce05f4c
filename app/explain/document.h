// An explanation as a sequence of blocks, before it is known how it is shown.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/run/record.h"

namespace pet::explain {

struct Heading {
  int level = 1;
  std::string text;
};

struct Paragraph {
  std::string text;
  bool is_lead = false;  // the first sentence, which says it all
};

// Labels with what is said under each, one line or several.
struct Facts {
  struct Fact {
    std::string label;
    std::vector<std::string> lines;
  };
  std::vector<Fact> facts;
};

struct Table {
  std::string title;  // what it is opened by, where it is not shown at once
  std::vector<std::string> header;
  struct Row {
    std::vector<std::string> cells;  // the first one is text, the others are numbers
    // Of one cell, as wide as the table: what the rows below it are about, or more about the row
    // above.
    enum class Kind { Cells, Heading, Note } kind = Kind::Cells;
  };
  std::vector<Row> rows;
  bool is_open = false;
};

// A program before and after, what is new in the second one marked.
struct Programs {
  ProgramRecord before, after;
};

// Time from `from` to `to`, one bar a row.
struct BarChart {
  enum class Kind { Total, Saving, Loss };
  struct Bar {
    std::string label;
    double from_ms = 0, to_ms = 0;
    Kind kind = Kind::Total;
  };
  std::vector<Bar> bars;
};

using Block = std::variant<Heading, Paragraph, Facts, Table, Programs, BarChart>;

struct Document {
  std::string title;
  std::vector<Block> blocks;
};

Document compose(const RunRecord& record);

// By step of `after`: is it no step of `before`?
std::vector<bool> new_steps(const ProgramRecord& before, const ProgramRecord& after);

}  // namespace pet::explain
