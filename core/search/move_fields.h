// Internal: the fields of moves and regions, as journals and reports have them.
#pragma once

#include "core/ir/box.h"
#include "core/search/json_fields.h"
#include "core/search/lineage.h"

namespace pet {

namespace journal {
template <>
inline constexpr std::size_t kEnumerators<CorrectionWay> = kCorrectionWays;
template <>
inline constexpr std::size_t kEnumerators<move::Merging> = move::kMergings;
template <>
inline constexpr std::size_t kEnumerators<move::Gathered> = move::kGathered;
template <>
inline constexpr std::size_t kEnumerators<move::Shaped> = move::kShaped;
template <>
inline constexpr std::size_t kEnumerators<move::AxisPlace> = move::kAxisPlaces;

template <>
struct Alternatives<Move> {
  static constexpr const char* kKey = "move";
  static constexpr std::array<const char*, std::variant_size_v<Move>> kNames = {
      "fold_normalisation",
      "exchange",
      "merge",
      "compose_weights",
      "join",
      "interleave",
      "cut",
      "phases",
      "pad_end",
      "drop_idle_taps",
      "taps_apart",
      "taps_to_channels",
      "channels_to_taps",
      "features_to_groups",
      "groups_to_blocks",
      "form",
      "exchange_dimensions",
      "axis_to_batch",
      "fast_convolution",
      "correct",
      "start_again",
      "apply_rule",
      "said"};
};
}  // namespace journal

namespace move {
// A structured binding must name every member: one that is added is not forgotten here.
template <class V>
void visit_fields(const V&, FoldNormalisation&) {}
template <class V>
void visit_fields(const V& v, Exchange& x) {
  auto& [first, second] = x;
  v("first", first);
  v("second", second);
}
template <class V>
void visit_fields(const V& v, Merge& x) {
  auto& [how] = x;
  v("how", how);
}
template <class V>
void visit_fields(const V&, ComposeWeights&) {}
template <class V>
void visit_fields(const V& v, Join& x) {
  auto& [pieces, of, along, halo] = x;
  v("pieces", pieces);
  v("of", of);
  v("along", along);
  v("halo", halo);
}
template <class V>
void visit_fields(const V& v, Interleave& x) {
  auto& [pieces, of, along] = x;
  v("pieces", pieces);
  v("of", of);
  v("along", along);
}
template <class V>
void visit_fields(const V& v, Cut& x) {
  auto& [axis, pieces, halo] = x;
  v("axis", axis);
  v("pieces", pieces);
  v("halo", halo);
}
template <class V>
void visit_fields(const V& v, Phases& x) {
  auto& [axis, by, as] = x;
  v("axis", axis);
  v("by", by);
  v("as", as);
}
template <class V>
void visit_fields(const V& v, PadEnd& x) {
  auto& [axis, zeros] = x;
  v("axis", axis);
  v("zeros", zeros);
}
template <class V>
void visit_fields(const V& v, DropIdleTaps& x) {
  auto& [axis] = x;
  v("axis", axis);
}
template <class V>
void visit_fields(const V& v, TapsApart& x) {
  auto& [axis] = x;
  v("axis", axis);
}
template <class V>
void visit_fields(const V& v, TapsToChannels& x) {
  auto& [axis] = x;
  v("axis", axis);
}
template <class V>
void visit_fields(const V& v, ChannelsToTaps& x) {
  auto& [channels, axis] = x;
  v("channels", channels);
  v("axis", axis);
}
template <class V>
void visit_fields(const V& v, FeaturesToGroups& x) {
  auto& [groups] = x;
  v("groups", groups);
}
template <class V>
void visit_fields(const V& v, GroupsToBlocks& x) {
  auto& [groups] = x;
  v("groups", groups);
}
template <class V>
void visit_fields(const V& v, Form& x) {
  auto& [how] = x;
  v("how", how);
}
template <class V>
void visit_fields(const V& v, ExchangeDimensions& x) {
  auto& [first, second] = x;
  v("first", first);
  v("second", second);
}
template <class V>
void visit_fields(const V& v, AxisToBatch& x) {
  auto& [axis] = x;
  v("axis", axis);
}
template <class V>
void visit_fields(const V& v, FastConvolution& x) {
  auto& [axis, place, outputs, taps, stride, blocks, whole, inside] = x;
  v("axis", axis);
  v("place", place);
  v("outputs", outputs);
  v("taps", taps);
  v("stride", stride);
  v("blocks", blocks);
  v("whole", whole);
  v("inside", inside);
}
template <class V>
void visit_fields(const V& v, Correct& x) {
  auto& [way] = x;
  v("way", way);
}
template <class V>
void visit_fields(const V&, StartAgain&) {}
template <class V>
void visit_fields(const V& v, ApplyRule& x) {
  auto& [rule, condition, place] = x;
  v("rule", rule);
  v("condition", condition);
  v("place", place);
}
template <class V>
void visit_fields(const V& v, Said& x) {
  auto& [words] = x;
  v("words", words);
}
}  // namespace move

template <class V>
void visit_fields(const V& v, Lineage& x) {
  auto& [id, parent, round, moves] = x;
  v("id", id);
  v("parent", parent);
  v("round", round);
  v("moves", moves);
}

template <class V>
void visit_fields(const V& v, Box& x) {
  auto& [low, high] = x;
  v("low", low);
  v("high", high);
}
template <class V>
void visit_fields(const V& v, Region& x) {
  auto& [basis, boxes] = x;
  v("digits", basis.digits);
  v("boxes", boxes);
}

namespace journal {
// One whose boxes lie somewhere else is none: whoever shows it counts on that.
template <>
struct Coder<Region> {
  static Json encode(const Region& region) {
    Json out = Json::object();
    Region copy = region;
    visit_fields(FieldWriter{out}, copy);
    return out;
  }
  static void decode(const Read& json, Region& region) {
    visit_fields(FieldReader{json}, region);
    if (!is_sound(region)) throw BadLine("a region lies outside of its tensor");
  }
};
}  // namespace journal

}  // namespace pet
