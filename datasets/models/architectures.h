// The architectures that models.cpp offers by name. Internal to datasets/models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/models/models.h"

namespace pet::datasets {

class Network;

// Where a transition of DenseNet halves the image: torchvision's pools after the 1x1 convolution.
// Both orders compute the same, the other with a quarter of the products.
enum class TransitionOrder { ConvThenPool, PoolThenConv };

void densenet121(Network& net, const ModelRequest& request, TransitionOrder order);
void resnet18(Network& net, const ModelRequest& request);

// The operator benchmark: one small model a row, its name without the group "operators/".
std::vector<ModelInfo> operator_rows();
// REQUIRES: row is the name of one of operator_rows().
void operator_row(Network& net, const ModelRequest& request, const std::string& row);

}  // namespace pet::datasets
