// std::visit(overloaded{...}, variant)
#pragma once

namespace pet {

template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};

}  // namespace pet
