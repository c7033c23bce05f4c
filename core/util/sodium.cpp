#include "core/util/sodium.h"

#include <sodium.h>

#include "core/util/check.h"

namespace pet {

void initialise_sodium() {
  static const int status = sodium_init();
  PET_CHECK(status >= 0, "libsodium cannot reach a source of entropy");
}

}  // namespace pet
