#include "core/util/printable.h"

#include <catch2/catch.hpp>

using pet::printable;

TEST_CASE("Ordinary_names_stay_and_control_characters_are_escaped") {
  CHECK(printable("conv1/weight.ü€𝄞") == "conv1/weight.ü€𝄞");
  CHECK(printable(std::string_view("\0\x1b[31m\n\x7f", 8)) == "\\x00\\x1b[31m\\x0a\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\xc2\\x9b31m");
  CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");
}

TEST_CASE("Bytes_that_are_no_UTF8_are_escaped_and_long_names_shortened") {
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(printable(std::string(5000, 'x')).size() < 300);
}
