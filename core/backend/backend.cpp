#include "core/backend/backend.h"

#include <fmt/format.h>

namespace pet {

Result<OperatorProfile> Backend::profile(ModelId, const ProfilePlan&, std::stop_token) {
  return Error{fmt::format("times by operator are not offered by {}", info().name),
               ErrorKind::Unsupported};
}

}  // namespace pet
