#include "verify/all_sizes/open_sizes.h"

#include "verify/all_sizes/prove.h"

namespace pet::all_sizes {

Status prove_for_open_sizes(const std::vector<std::string>& names, const ReadAt& read,
                            Constants constants, std::stop_token stop) {
  Family family;
  family.symbols = names;
  family.at = [&](const SizeValues& values) {
    std::map<std::string, Dim> sizes;
    for (std::size_t i = 0; i < names.size(); ++i) sizes[names[i]] = values[i];
    return read(sizes);
  };
  const auto pair = sized_pair(family, constants);
  if (!pair) return pair.error();
  return prove_for_all_sizes(family, *pair, {.stop = std::move(stop)});
}

}  // namespace pet::all_sizes
