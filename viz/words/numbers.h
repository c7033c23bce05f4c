// Numbers as people read them.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/shape.h"

namespace pet::viz {

// 200704 as "200,704".
std::string grouped(Dim number);
// "1 box", "200,704 boxes".
std::string grouped(Dim number, std::string_view noun);

}  // namespace pet::viz
