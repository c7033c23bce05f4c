#include "core/search/events.h"

namespace pet {

std::string_view to_string(Discarded why) {
  switch (why) {
    case Discarded::FingerprintAllWrong:
      return "fingerprint: wrong at every sampled position";
    case Discarded::CostsMore:
      return "estimated to cost more";
    case Discarded::OthersCostLess:
      return "others are estimated to cost less";
    case Discarded::NotAsked:
      return "of a kind that was not asked for";
    case Discarded::DifferentEverywhere:
      return "different everywhere";
    case Discarded::Unknown:
      return "could not be decided";
    case Discarded::NotCorrectable:
      return "wrong where it cannot be corrected";
    case Discarded::NotMeasured:
      return "others were expected to save more, and were measured";
  }
  return "?";
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::Finished:
      return "finished";
    case StopReason::Budget:
      return "budget spent";
    case StopReason::StepLimit:
      return "step limit";
    case StopReason::Stopped:
      return "stopped";
  }
  return "?";
}

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::Weights:
      return "computing weights ahead of time";
    case Stage::MeasuringFiles:
      return "measuring whole files";
    case Stage::MeasuringFile:
      return "measuring the whole file";
    case Stage::Proving:
      return "proving the written file";
    case Stage::ComparingNumbers:
      return "running both files on random inputs";
    case Stage::MeasuringAgain:
      return "measuring on fresh samples";
  }
  return "?";
}

std::string_view short_name(Stage stage) {
  switch (stage) {
    case Stage::Weights:
      return "writing";
    case Stage::MeasuringFiles:
    case Stage::MeasuringFile:
      return "comparing";
    case Stage::Proving:
      return "proof";
    case Stage::ComparingNumbers:
      return "numbers";
    case Stage::MeasuringAgain:
      return "fresh samples";
  }
  return "?";
}

std::string_view to_string(StateDrop why) {
  switch (why) {
    case StateDrop::SeenBefore:
      return "seen before";
    case StateDrop::CostsMore:
      return "costs more";
    case StateDrop::OfItself:
      return "a value would be made of itself";
    case StateDrop::NotWritten:
      return "cannot be written";
  }
  return "?";
}

bool is_worth_telling(Discarded why) {
  return why == Discarded::DifferentEverywhere || why == Discarded::Unknown ||
         why == Discarded::NotCorrectable;
}

}  // namespace pet
