// Numbers as people read them.
#pragma once

#include <string>

#include "core/ir/shape.h"

namespace pet::viz {

// 200704 as "200,704".
std::string grouped(Dim number);

}  // namespace pet::viz
