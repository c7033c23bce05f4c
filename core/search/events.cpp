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

}  // namespace pet
