// What can be done to a program on the way to a mutant: one value for each kind of move, with what
// it was done to. A mutant is told by its moves; words are made of them only where somebody reads
// them (in_words).
//
// Axes are those of the data of the product that is changed, outermost first.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ir/shape.h"

namespace pet {

// How a mutant is repaired where it is wrong (PET, sections 5.2 and 5.3).
enum class CorrectionWay {
  Recomputing,  // the original operators run on what the wrong boxes read
  InBatch       // what the wrong boxes read joins the batch of the mutant's main operator
};
inline constexpr std::size_t kCorrectionWays = 2;
std::string_view to_string(CorrectionWay way);

namespace move {

// ---- before anything else

struct FoldNormalisation {  // into the weights of the product in front of it
  bool operator==(const FoldNormalisation&) const = default;
};
struct Exchange {  // two linear operators in the other order
  std::string first, second;
  bool operator==(const Exchange&) const = default;
};

// ---- several products as one

enum class Merging {
  Features,       // of the same data: weights one after another
  Groups,         // each a group of its own
  CommonDivisor,  // each as many groups as a common divisor fits into its features
  Channels,       // added up: data and weights one after another along the channels
  Sum             // added up, of the same data: weights added up as well
};
inline constexpr std::size_t kMergings = 5;
std::string_view to_string(Merging how);
struct Merge {
  Merging how = Merging::Features;
  bool operator==(const Merge&) const = default;
};
struct ComposeWeights {  // of a product that reads another
  bool operator==(const ComposeWeights&) const = default;
};

// ---- the layout in front of the product and behind it

struct Join {  // pieces of a batch side by side along an axis that slides
  Dim pieces = 0;
  std::size_t of = 0, along = 0;
  bool halo = false;  // zeros between them, so that no window reads two
  bool operator==(const Join&) const = default;
};
struct Interleave {  // the same, each between the others, with a longer dilation
  Dim pieces = 0;
  std::size_t of = 0, along = 0;
  bool operator==(const Interleave&) const = default;
};
struct Cut {  // an axis into pieces of a batch
  std::size_t axis = 0;
  Dim pieces = 0;
  bool halo = false;  // overlapping, so that every window is whole
  bool operator==(const Cut&) const = default;
};
enum class Gathered { Images, Row, Channels };
inline constexpr std::size_t kGathered = 3;
std::string_view to_string(Gathered as);
struct Phases {  // positions of one residue modulo `by` together
  std::size_t axis = 0;
  Dim by = 0;
  Gathered as = Gathered::Images;
  bool operator==(const Phases&) const = default;
};
struct PadEnd {
  std::size_t axis = 0;
  Dim zeros = 0;
  bool operator==(const PadEnd&) const = default;
};

// ---- what the product slides over

struct DropIdleTaps {  // those that meet nothing but padding
  std::size_t axis = 0;
  bool operator==(const DropIdleTaps&) const = default;
};
struct TapsApart {  // one product for each, and a sum
  std::size_t axis = 0;
  bool operator==(const TapsApart&) const = default;
};
struct TapsToChannels {
  std::size_t axis = 0;
  bool operator==(const TapsToChannels&) const = default;
};
struct ChannelsToTaps {
  Dim channels = 0;
  std::size_t axis = 0;
  bool operator==(const ChannelsToTaps&) const = default;
};

// ---- groups

struct FeaturesToGroups {
  Dim groups = 0;
  bool operator==(const FeaturesToGroups&) const = default;
};
struct GroupsToBlocks {  // so many as one, whose weight has blocks on its diagonal
  Dim groups = 0;
  bool operator==(const GroupsToBlocks&) const = default;
};

// ---- which operator computes the product

enum class Shaped {
  Plainly,
  DataTimesWeight,
  WeightTimesData,
  OnlySlides,   // no other dimensions
  RestAsOne,    // what does not slide is one dimension
  Sliding,      // an operator that could slide, where nothing does
  UnitInFront,  // a dimension of extent 1 more
  UnitBehind
};
inline constexpr std::size_t kShaped = 8;
std::string_view to_string(Shaped how);
struct Form {
  Shaped how = Shaped::Plainly;
  bool operator==(const Form&) const = default;
};
struct ExchangeDimensions {  // of those that a sliding operator has
  std::size_t first = 0, second = 0;
  bool operator==(const ExchangeDimensions&) const = default;
};

// ---- along one axis of a convolution, the others inside

struct AxisToBatch {  // its taps to channels
  std::size_t axis = 0;
  bool operator==(const AxisToBatch&) const = default;
};
enum class AxisPlace { BeforeChannels, Unmoved };
inline constexpr std::size_t kAxisPlaces = 2;
std::string_view to_string(AxisPlace place);
// F(outputs, taps) of Winograd's and Toom and Cook's algorithms: fewer products.
struct FastConvolution {
  std::size_t axis = 0;
  AxisPlace place = AxisPlace::BeforeChannels;
  Dim outputs = 0;  // of a tile
  Dim taps = 0;
  Dim stride = 1;
  Dim blocks = 1;       // that the axis is cut into first
  bool whole = false;   // one tile is the whole axis
  bool inside = false;  // of the convolution that the move before it leaves
  bool operator==(const FastConvolution&) const = default;
};

// ---- what the search does

struct Correct {
  CorrectionWay way = CorrectionWay::Recomputing;
  bool operator==(const Correct&) const = default;
};
// The mutant so far is a program like any other: what follows was done to some of its operators
// (PET, Algorithm 2: its next round).
struct StartAgain {
  bool operator==(const StartAgain&) const = default;
};
// A rule of a file was applied (core/rewrite), where its condition holds; an empty one always does.
struct ApplyRule {
  std::string rule;
  std::string condition;
  std::string place;  // the first value that it computed otherwise; may be none that has a name
  bool operator==(const ApplyRule&) const = default;
};
// As a file of an older version has it; nothing is known of it but these words.
struct Said {
  std::string words;
  bool operator==(const Said&) const = default;
};

}  // namespace move

using Move =
    std::variant<move::FoldNormalisation, move::Exchange, move::Merge, move::ComposeWeights,
                 move::Join, move::Interleave, move::Cut, move::Phases, move::PadEnd,
                 move::DropIdleTaps, move::TapsApart, move::TapsToChannels, move::ChannelsToTaps,
                 move::FeaturesToGroups, move::GroupsToBlocks, move::Form, move::ExchangeDimensions,
                 move::AxisToBatch, move::FastConvolution, move::Correct, move::StartAgain,
                 move::ApplyRule, move::Said>;

// One move: "join 2 of axis 0 along axis 3".
std::string in_words(const Move& move);
// A mutant by all its moves: "compose both weights, as data times weight, then cut axis 2 in 2".
std::string in_words(std::span<const Move> moves);

}  // namespace pet
