#include "tests/fuzz/hostile/model_changes.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <onnx/onnx_pb.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace pet::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A message and a field of it that is set.
struct Place {
  Message* message = nullptr;
  const FieldDescriptor* field = nullptr;
};

void collect(Message& message, std::vector<Place>& out) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    out.push_back({&message, field});
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collect(*reflection->MutableMessage(&message, field), out);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i)
      collect(*reflection->MutableRepeatedMessage(&message, field, i), out);
  }
}

std::int64_t odd_integer(Rng& rng) {
  constexpr std::array<std::int64_t, 16> kIntegers = {0,
                                                      1,
                                                      -1,
                                                      2,
                                                      3,
                                                      7,
                                                      16,
                                                      17,
                                                      4097,
                                                      std::int64_t{1} << 21,
                                                      std::int64_t{1} << 31,
                                                      -(std::int64_t{1} << 31),
                                                      std::int64_t{1} << 40,
                                                      std::numeric_limits<std::int64_t>::max(),
                                                      std::numeric_limits<std::int64_t>::min(),
                                                      28};
  return one_of(kIntegers, rng);
}

double odd_real(Rng& rng) {
  constexpr std::array kReals = {0.0,   -0.0,   1.0,
                                 0.1,   -1e300, 1e-300,
                                 1e38,  3.5e38, std::numeric_limits<double>::infinity(),
                                 1e-45, -1.0,   std::numeric_limits<double>::quiet_NaN()};
  return one_of(kReals, rng);
}

std::string odd_text(const std::string& before, const Pool& pool, Rng& rng) {
  switch (rng.below(4)) {
    case 0:
      return "";
    case 1:
      return changed(before, pool, rng);
    default:
      return one_of(pool.words, rng);
  }
}

// A float of any size.
float odd_float(Rng& rng) { return static_cast<float>(odd_real(rng)); }

// Another value in place of one that is set.
void replace(const Place& place, const Pool& pool, Rng& rng) {
  const auto& [message, field] = place;
  const auto* r = message->GetReflection();
  const bool repeated = field->is_repeated();
  const int size = repeated ? r->FieldSize(*message, field) : 1;
  const int i = static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: {
      const auto x = static_cast<std::int32_t>(odd_integer(rng));
      repeated ? r->SetRepeatedInt32(message, field, i, x) : r->SetInt32(message, field, x);
      return;
    }
    case FieldDescriptor::CPPTYPE_INT64: {
      const std::int64_t x = odd_integer(rng);
      repeated ? r->SetRepeatedInt64(message, field, i, x) : r->SetInt64(message, field, x);
      return;
    }
    case FieldDescriptor::CPPTYPE_UINT64: {
      const auto x = static_cast<std::uint64_t>(odd_integer(rng));
      repeated ? r->SetRepeatedUInt64(message, field, i, x) : r->SetUInt64(message, field, x);
      return;
    }
    case FieldDescriptor::CPPTYPE_FLOAT: {
      const float x = odd_float(rng);
      repeated ? r->SetRepeatedFloat(message, field, i, x) : r->SetFloat(message, field, x);
      return;
    }
    case FieldDescriptor::CPPTYPE_DOUBLE: {
      const double x = odd_real(rng);
      repeated ? r->SetRepeatedDouble(message, field, i, x) : r->SetDouble(message, field, x);
      return;
    }
    case FieldDescriptor::CPPTYPE_ENUM: {
      const auto x = static_cast<int>(rng.below(20));
      if (!repeated) r->SetEnumValue(message, field, x);
      return;
    }
    case FieldDescriptor::CPPTYPE_STRING: {
      const std::string before =
          repeated ? r->GetRepeatedString(*message, field, i) : r->GetString(*message, field);
      std::string x = odd_text(before, pool, rng);
      if (repeated) {
        r->SetRepeatedString(message, field, i, std::move(x));
      } else {
        r->SetString(message, field, std::move(x));
      }
      return;
    }
    default:
      r->ClearField(message, field);
  }
}

// One entry more of a list, a copy where it is a message.
void extend(const Place& place, Rng& rng) {
  const auto& [message, field] = place;
  const auto* r = message->GetReflection();
  const auto size = static_cast<std::uint64_t>(r->FieldSize(*message, field));
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      const int from = static_cast<int>(rng.below(size));
      Message* added = r->AddMessage(message, field);
      added->CopyFrom(r->GetRepeatedMessage(*message, field, from));
      return;
    }
    case FieldDescriptor::CPPTYPE_INT64:
      r->AddInt64(message, field, odd_integer(rng));
      return;
    case FieldDescriptor::CPPTYPE_FLOAT:
      r->AddFloat(message, field, odd_float(rng));
      return;
    case FieldDescriptor::CPPTYPE_STRING:
      r->AddString(message, field, "");
      return;
    default:
      r->RemoveLast(message, field);
  }
}

void change(Message& model, const Pool& pool, Rng& rng) {
  std::vector<Place> places;
  collect(model, places);
  if (places.empty()) return;
  const Place place = one_of(places, rng);
  const auto* r = place.message->GetReflection();
  const bool repeated = place.field->is_repeated();
  const auto size =
      repeated ? static_cast<std::uint64_t>(r->FieldSize(*place.message, place.field)) : 0;
  switch (rng.below(repeated ? 6U : 3U)) {
    case 0:
      r->ClearField(place.message, place.field);
      return;
    case 3:
      r->SwapElements(place.message, place.field, static_cast<int>(rng.below(size)),
                      static_cast<int>(rng.below(size)));
      return;
    case 4:
      extend(place, rng);
      return;
    case 5:
      r->RemoveLast(place.message, place.field);
      return;
    default:
      replace(place, pool, rng);
  }
}

}  // namespace

std::string changed_model(const std::string& bytes, const Pool& pool, Rng& rng) {
  ::onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return bytes;
  const std::uint64_t number = 1 + rng.below(4);
  for (std::uint64_t i = 0; i < number; ++i) change(model, pool, rng);
  return model.SerializePartialAsString();
}

}  // namespace pet::fuzz
