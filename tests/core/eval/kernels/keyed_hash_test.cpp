#include "core/eval/kernels/keyed_hash.h"

#include <sodium.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <vector>

using namespace pet;

namespace {

const std::vector<InstructionSet> kSets{InstructionSet::Portable, InstructionSet::Avx2,
                                        InstructionSet::Avx512};

struct Message {
  std::vector<unsigned char> bytes;
  template <class T>
  void add(const T& value) {
    const auto* first = reinterpret_cast<const unsigned char*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
};

Hash128 sodium128(const SipKey& key, const Message& message) {
  Hash128 out;
  static_assert(sizeof(out) == crypto_shorthash_siphashx24_BYTES);
  static_assert(sizeof(key) == crypto_shorthash_siphashx24_KEYBYTES);
  crypto_shorthash_siphashx24(reinterpret_cast<unsigned char*>(&out), message.bytes.data(),
                              message.bytes.size(), reinterpret_cast<const unsigned char*>(&key));
  return out;
}

std::uint64_t sodium64(const SipKey& key, const Message& message) {
  std::uint64_t out = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&out), message.bytes.data(),
                   message.bytes.size(), reinterpret_cast<const unsigned char*>(&key));
  return out;
}

HashKey key_named(std::string_view name) { return HashKey(digest_of("test", name)); }

std::vector<Hash128> random_hashes(Rng& rng, std::size_t count) {
  std::vector<Hash128> values(count);
  for (Hash128& value : values) value = {rng.next(), rng.next()};
  return values;
}

bool differ(const SipKey& a, const SipKey& b) { return a.low != b.low && a.high != b.high; }

}  // namespace

TEST_CASE("The digest of columns is libsodium's SipHash-2-4-128 of the same bytes") {
  Rng rng(1);
  const HashKey key = key_named("columns");
  for (const InstructionSet set : kSets) {
    if (!supported(set)) continue;
    for (const std::size_t width : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 60U, 61U, 130U})
      for (const std::size_t count : {0U, 1U, 3U, 8U, 21U}) {
        const Hash128 salt{rng.next(), rng.next()};
        std::vector<std::vector<std::uint32_t>> data(width, std::vector<std::uint32_t>(count));
        std::vector<const std::uint32_t*> columns;
        for (auto& column : data) {
          for (std::uint32_t& word : column) word = static_cast<std::uint32_t>(rng.next());
          columns.push_back(column.data());
        }
        std::vector<Hash128> out(count);
        digest_columns(key, salt, columns, out, set);
        for (std::size_t i = 0; i < count; ++i) {
          Message message;
          message.add(salt);
          for (const auto& column : data) message.add(column[i]);
          REQUIRE(out[i] == sodium128(key.elements(), message));
        }
      }
  }
}

TEST_CASE("The digest of rows is libsodium's of salt, width and row") {
  Rng rng(2);
  const HashKey key = key_named("rows");
  for (const InstructionSet set : kSets) {
    if (!supported(set)) continue;
    for (const std::uint64_t width : {0U, 1U, 2U, 9U, 33U}) {
      const std::size_t count = 19;
      const Hash128 salt{rng.next(), rng.next()};
      const std::vector<Hash128> rows = random_hashes(rng, width * count);
      std::vector<Hash128> out(count);
      digest_rows(key, salt, rows, width, out, set);
      for (std::size_t i = 0; i < count; ++i) {
        Message message;
        message.add(salt);
        message.add(width);
        for (std::size_t w = 0; w < width; ++w) message.add(rows[i * width + w]);
        REQUIRE(out[i] == sodium128(key.sequences(), message));
        REQUIRE(out[i] == combine_sequence(key, salt, std::span(rows).subspan(i * width, width)));
      }
    }
  }
}

TEST_CASE("Expansion is libsodium's SipHash-2-4 of the digest, modulo the prime") {
  Rng rng(3);
  const HashKey key = key_named("expand");
  for (const InstructionSet set : kSets) {
    if (!supported(set)) continue;
    for (const std::uint32_t prime : {kSmallestPrime, kLargestPrime, 536889229U, 858993503U}) {
      const PrimeField field(prime);
      for (std::size_t stream = 0; stream < 6; ++stream) {
        const std::vector<Hash128> digests = random_hashes(rng, 1003);
        std::vector<std::uint32_t> out(digests.size());
        expand(key, digests, stream, field, out, set);
        for (std::size_t i = 0; i < out.size(); ++i) {
          Message message;
          message.add(digests[i]);
          REQUIRE(out[i] == sodium64(key.expansion(stream), message) % prime);
        }
      }
    }
  }
}

TEST_CASE("A multiset hashes the same in every order, a sequence does not") {
  Rng rng(4);
  const HashKey key = key_named("order");
  const Hash128 salt{5, 6};
  std::vector<Hash128> values = random_hashes(rng, 9);
  values[3] = values[7];
  std::vector<Hash128> turned = values;
  std::rotate(turned.begin(), turned.begin() + 4, turned.end());
  CHECK(combine_sequence(key, salt, values) != combine_sequence(key, salt, turned));
  const Hash128 multiset = combine_multiset(key, salt, turned);
  CHECK(multiset == combine_multiset(key, salt, values));
  CHECK(std::is_sorted(values.begin(), values.end()));
  CHECK(multiset != combine_sequence(key, salt, values));
  std::vector<Hash128> once(values);
  once.erase(std::adjacent_find(once.begin(), once.end()));
  CHECK(combine_multiset(key, salt, once) != multiset);
}

TEST_CASE("Rows of multisets agree with one row at a time on every instruction set") {
  Rng rng(5);
  const HashKey key = key_named("pool");
  const std::size_t width = 4, count = 13;
  const std::vector<Hash128> rows = random_hashes(rng, width * count);
  for (const InstructionSet set : kSets) {
    if (!supported(set)) continue;
    std::vector<Hash128> work = rows, out(count);
    digest_multiset_rows(key, {1, 2}, work, width, out, set);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Hash128> row(rows.begin() + static_cast<std::ptrdiff_t>(i * width),
                               rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      REQUIRE(out[i] == combine_multiset(key, {1, 2}, row));
    }
  }
}

TEST_CASE("Secrets, uses, streams and salts give keys and digests that differ") {
  const HashKey one = key_named("one"), other = key_named("other");
  CHECK(differ(one.elements(), other.elements()));
  CHECK(differ(one.elements(), one.sequences()));
  CHECK(differ(one.elements(), one.multisets()));
  CHECK(differ(one.sequences(), one.multisets()));
  CHECK(differ(one.expansion(0), other.expansion(0)));
  for (std::size_t stream = 0; stream < 8; ++stream) {
    CHECK(differ(one.expansion(stream), one.expansion(stream + 1)));
    CHECK(differ(one.expansion(stream), one.elements()));
    CHECK(differ(one.expansion(stream), one.sequences()));
    CHECK(differ(one.expansion(stream), one.multisets()));
  }
  CHECK(differ(key_named("one").elements(), one.elements()) == false);

  const std::vector<std::uint32_t> column{1, 2, 3};
  const std::vector<const std::uint32_t*> columns{column.data()};
  const auto hashed = [&](const HashKey& key, Hash128 salt) {
    std::vector<Hash128> out(column.size());
    digest_columns(key, salt, columns, out);
    return out;
  };
  CHECK(hashed(one, {0, 0}) == hashed(one, {0, 0}));
  CHECK(hashed(one, {0, 0}) != hashed(other, {0, 0}));
  CHECK(hashed(one, {0, 0}) != hashed(one, {1, 0}));
  CHECK(hashed(one, {0, 0}) != hashed(one, {0, 1}));
  CHECK(salt_of(digest_of("test", "relu")) != salt_of(digest_of("test", "tanh")));
}

TEST_CASE("Arguments that differ in one word of one prime give different residues everywhere") {
  const HashKey key = key_named("words");
  const std::vector<std::uint32_t> first{10, 10, 10, 10}, second{20, 21, 20, 20},
      third{30, 30, 31, 30};
  const std::vector<const std::uint32_t*> columns{first.data(), second.data(), third.data()};
  std::vector<Hash128> digests(4);
  digest_columns(key, {7, 7}, columns, digests);
  CHECK(digests[0] == digests[3]);
  const PrimeField field(kLargestPrime);
  for (std::size_t stream = 0; stream < 3; ++stream) {
    std::vector<std::uint32_t> out(4);
    expand(key, digests, stream, field, out);
    CHECK(out[0] == out[3]);
    CHECK(std::set<std::uint32_t>(out.begin(), out.end()).size() == 3);
  }
}

TEST_CASE("Expanded residues are spread evenly and all of them are below the prime") {
  const HashKey key = key_named("spread");
  constexpr std::size_t kCount = 160000, kBins = 16;
  std::vector<Hash128> digests(kCount);
  for (std::size_t i = 0; i < kCount; ++i) digests[i] = {i, 0};
  const PrimeField field(kSmallestPrime);
  std::vector<std::uint32_t> out(kCount);
  expand(key, digests, 0, field, out);
  std::vector<double> bins(kBins);
  for (const std::uint32_t residue : out) {
    REQUIRE(residue < field.prime());
    bins[static_cast<std::size_t>(std::uint64_t{residue} * kBins / field.prime())] += 1;
  }
  double chi = 0;
  for (const double bin : bins)
    chi += (bin - kCount / kBins) * (bin - kCount / kBins) / (kCount / kBins);
  CHECK(chi < 50);  // 15 degrees of freedom: beyond 50 once in 10^5; the key is fixed
  CHECK(chi > 1);
}
