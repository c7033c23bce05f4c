// An explanation as one page of HTML that needs nothing but itself.
#pragma once

#include "app/explain/document.h"

namespace pet::explain {

std::string as_html(const Document& document);

// The same with arrows and powers of two as they are set.
std::string typeset(std::string_view text);

// Bars with their names and values; empty where there is nothing to show.
std::string drawn(const BarChart& fall);

// What the page looks like.
extern const char* const kStyle;

}  // namespace pet::explain
