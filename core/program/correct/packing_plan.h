// Which windows of the main operator of a mutant compute the boxes where the mutant is wrong.
#pragma once

#include <vector>

#include "core/program/correct/windows.h"

namespace pet {

// The dimensions of an operator's data and result by what it does along them.
struct Dimensions {
  struct Along {
    std::size_t data = 0;
    std::size_t result = 0;
  };
  std::vector<Along> batch;
  std::vector<Along> slides;
  std::vector<Slide> windows;             // by slide
  std::vector<int> taps;                  // by slide: the weight's dimension, -1 where it has one
  std::vector<std::size_t> carried_data;  // what is summed over or grouped
  std::vector<std::size_t> carried_result;
};

// The original's last operator, and one of the mutant that has its weights.
struct SharedWeights {
  Product original;
  NodeId main;
  std::size_t operand = 0;  // of main: the data
  Dimensions of_original;
  Dimensions of_main;            // its slides in the original's order
  std::vector<SlidePair> pairs;  // by slide
  // Extents of the main operator's batch dimensions but for the first, which windows are added to.
  Shape others;
};

Result<SharedWeights> share_weights(const Graph& original, const Graph& mutant);

// A part of a box: stretches along every slide, at `items` positions of the batch.
struct WindowPiece {
  std::size_t box = 0;
  std::vector<Stretch> along;
  Dim items = 1;
  std::size_t group = 0;
  Dim first = 0;  // of its items among the group's
};

// Pieces that share windows.
struct WindowGroup {
  Shape counts;  // by slide: results of the largest piece
  Shape before;  // zeros at the ends of all
  Shape after;
  std::vector<Cells> cells;  // by slide
  std::vector<std::size_t> pieces;
  Dim items = 0;
  Dim windows = 0;
};

struct PackingPlan {
  // By box, by slide: phases of stretches.
  std::vector<std::vector<std::vector<std::vector<Stretch>>>> boxes;
  std::vector<WindowPiece> pieces;  // of a box: the last slide's stretches one after another
  std::vector<WindowGroup> groups;
};

// `boxes`: positions along every axis of the original's result.
Result<PackingPlan> plan_packing(const SharedWeights& shared,
                                 const std::vector<std::vector<Progression>>& boxes);

}  // namespace pet
