#include "core/program/move.h"

#include <fmt/format.h>

#include "core/util/overloaded.h"
#include "core/util/plural.h"

namespace pet {
namespace {

using namespace move;

std::string of_fast_convolution(const FastConvolution& m) {
  const std::string where = m.place == AxisPlace::BeforeChannels
                                ? fmt::format(", axis {} before the channels", m.axis)
                                : fmt::format(" along axis {} in place", m.axis);
  const std::string tiles =
      m.whole ? "the whole as one tile" : fmt::format("tiles of {}", m.outputs);
  return fmt::format("{}fast convolution{}, {}{}", m.inside ? "inside it " : "", where, tiles,
                     m.blocks > 1 ? fmt::format(" in {} blocks", m.blocks) : "");
}

std::string of_phases(const Phases& m) {
  switch (m.as) {
    case Gathered::Images:
      return fmt::format("phases of axis {} by {} as images", m.axis, m.by);
    case Gathered::Row:
      return fmt::format("phases of axis {} by {} in a row", m.axis, m.by);
    case Gathered::Channels:
      return fmt::format("phases of axis {} by {} to channels", m.axis, m.by);
  }
  return "?";
}

std::string of_merge(const Merge& m) {
  switch (m.how) {
    case Merging::Features:
      return "weights one after another";
    case Merging::Groups:
      return "a group each";
    case Merging::CommonDivisor:
      return "groups of a common size";
    case Merging::Channels:
      return "channels one after another";
    case Merging::Sum:
      return "weights added up";
  }
  return "?";
}

std::string of_form(const Form& m) {
  switch (m.how) {
    case Shaped::Plainly:
      return "in the plainest form";
    case Shaped::DataTimesWeight:
      return "as data times weight";
    case Shaped::WeightTimesData:
      return "as weight times data";
    case Shaped::OnlySlides:
      return "with only sliding dimensions";
    case Shaped::RestAsOne:
      return "with what does not slide as one dimension";
    case Shaped::Sliding:
      return "as a sliding operator";
    case Shaped::UnitInFront:
      return "with a unit dimension in front";
    case Shaped::UnitBehind:
      return "with a unit dimension behind";
  }
  return "?";
}

std::string halo(bool has) { return has ? " with a halo" : ""; }

}  // namespace

std::string_view to_string(CorrectionWay way) {
  switch (way) {
    case CorrectionWay::Recomputing:
      return "recomputing";
    case CorrectionWay::InBatch:
      return "in the batch of the main operator";
  }
  return "?";
}

namespace move {

std::string_view to_string(Merging how) {
  switch (how) {
    case Merging::Features:
      return "features";
    case Merging::Groups:
      return "groups";
    case Merging::CommonDivisor:
      return "common divisor";
    case Merging::Channels:
      return "channels";
    case Merging::Sum:
      return "sum";
  }
  return "?";
}

std::string_view to_string(Gathered as) {
  switch (as) {
    case Gathered::Images:
      return "images";
    case Gathered::Row:
      return "row";
    case Gathered::Channels:
      return "channels";
  }
  return "?";
}

std::string_view to_string(Shaped how) {
  switch (how) {
    case Shaped::Plainly:
      return "plainly";
    case Shaped::DataTimesWeight:
      return "data times weight";
    case Shaped::WeightTimesData:
      return "weight times data";
    case Shaped::OnlySlides:
      return "only slides";
    case Shaped::RestAsOne:
      return "rest as one";
    case Shaped::Sliding:
      return "sliding";
    case Shaped::UnitInFront:
      return "unit in front";
    case Shaped::UnitBehind:
      return "unit behind";
  }
  return "?";
}

std::string_view to_string(AxisPlace place) {
  switch (place) {
    case AxisPlace::BeforeChannels:
      return "before channels";
    case AxisPlace::Unmoved:
      return "unmoved";
  }
  return "?";
}

}  // namespace move

std::string in_words(const Move& move) {
  return std::visit(
      overloaded{
          [](const FoldNormalisation&) -> std::string { return "fold the normalisation"; },
          [](const Exchange& m) { return fmt::format("exchange {} and {}", m.first, m.second); },
          [](const Merge& m) { return of_merge(m); },
          [](const ComposeWeights&) -> std::string { return "compose both weights"; },
          [](const Join& m) {
            return fmt::format("join {} of axis {} along axis {}{}", m.pieces, m.of, m.along,
                               halo(m.halo));
          },
          [](const Interleave& m) {
            return fmt::format("interleave {} of axis {} along axis {}", m.pieces, m.of, m.along);
          },
          [](const Cut& m) {
            return fmt::format("cut axis {} in {}{}", m.axis, m.pieces, halo(m.halo));
          },
          [](const Phases& m) { return of_phases(m); },
          [](const PadEnd& m) {
            return fmt::format("{} behind axis {}", plural(m.zeros, "zero"), m.axis);
          },
          [](const DropIdleTaps& m) {
            return fmt::format("axis {} without the taps that meet only padding", m.axis);
          },
          [](const TapsApart& m) {
            return fmt::format("taps of axis {} as products, summed", m.axis);
          },
          [](const TapsToChannels& m) {
            return fmt::format("taps of axis {} to channels", m.axis);
          },
          [](const ChannelsToTaps& m) {
            return fmt::format("{} along axis {}", plural(m.channels, "channel"), m.axis);
          },
          [](const FeaturesToGroups& m) { return "features in " + plural(m.groups, "group"); },
          [](const GroupsToBlocks& m) { return plural(m.groups, "group") + " as one"; },
          [](const Form& m) { return of_form(m); },
          [](const ExchangeDimensions& m) {
            return fmt::format("with dimensions {} and {} exchanged", m.first, m.second);
          },
          [](const AxisToBatch& m) {
            return fmt::format("axis {} to batch, taps to channels", m.axis);
          },
          [](const FastConvolution& m) { return of_fast_convolution(m); },
          [](const Correct& m) {
            return fmt::format("corrected {}{}", m.way == CorrectionWay::Recomputing ? "by " : "",
                               to_string(m.way));
          },
          [](const StartAgain&) -> std::string { return "then"; },
          [](const ApplyRule& m) {
            return fmt::format("rule {}{}{}", m.rule, m.condition.empty() ? "" : " where ",
                               m.condition);
          },
          [](const Said& m) { return m.words; },
      },
      move);
}

std::string in_words(std::span<const Move> moves) {
  std::string out;
  bool is_first = true;
  bool begins_again = false;
  for (const Move& move : moves) {
    out += (is_first ? "" : begins_again ? " " : ", ") + in_words(move);
    begins_again = std::holds_alternative<StartAgain>(move);
    is_first = false;
  }
  return out;
}

}  // namespace pet
