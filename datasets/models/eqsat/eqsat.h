// The networks that rewriting by rules is published with, in the form in which TASO's, TENSAT's and
// the tree search's experiments build them: activations and transposed weights are nodes of their
// own, windows are padded as SAME, and what those tools have no operator for (biases, softmax,
// norms but MobileNet's) is left out. Internal to datasets/models.
#pragma once

#include <vector>

#include "datasets/models/models.h"

namespace pet::datasets {

class Network;

struct EqsatModel {
  ModelInfo info;  // its name without the group "eqsat/"
  void (*build)(Network&, const ModelRequest&);
};

const std::vector<EqsatModel>& eqsat_models();

void eqsat_bert(Network& net, const ModelRequest& request);
void eqsat_inception(Network& net, const ModelRequest& request);
void eqsat_mobilenet(Network& net, const ModelRequest& request);
void eqsat_nasnet(Network& net, const ModelRequest& request);
void eqsat_nasrnn(Network& net, const ModelRequest& request);
void eqsat_resnet50(Network& net, const ModelRequest& request);
void eqsat_resnext50(Network& net, const ModelRequest& request);
void eqsat_squeezenet(Network& net, const ModelRequest& request);
void eqsat_tt(Network& net, const ModelRequest& request);
void eqsat_vgg19(Network& net, const ModelRequest& request);
void eqsat_vit_base(Network& net, const ModelRequest& request);

}  // namespace pet::datasets
