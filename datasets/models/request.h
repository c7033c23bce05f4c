// What every builder makes of a request. Internal to datasets/models.
#pragma once

#include "datasets/models/graph_writer.h"
#include "datasets/models/models.h"

namespace pet::datasets {

// What the file says of itself.
inline std::string doc_of(const ModelRequest& request) {
  return request.name + (request.tiny ? " (tiny)" : "") + " with weights drawn from seed " +
         std::to_string(request.seed);
}

// Open where the request does not fix it.
inline Extent open_batch(const ModelRequest& request) {
  return request.batch ? Extent(*request.batch) : Extent(std::string("batch"));
}

}  // namespace pet::datasets
