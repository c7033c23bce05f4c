// pet-verify check CERT.json A.onnx B.onnx: starts pet-check-certificate, which shares nothing with
// this program, in its place.
#pragma once

namespace pet::app {

// The exit code where it could not be started; else does not return.
int check_command(int argc, char** argv);

}  // namespace pet::app
