#include "gpu/lower/arena.h"

#include <algorithm>

#include "core/util/check.h"
#include "gpu/kernel/index.h"
#include "gpu/lower/memory.h"

namespace pet::gpu {
namespace {

void find_what_is_made_once(Plan& plan) {
  std::vector<char> known(plan.buffers.size(), 0);
  for (std::size_t i = 0; i < known.size(); ++i)
    known[i] = plan.buffers[i].role == Role::Constant ? 1 : 0;
  for (Launch& launch : plan.launches) {
    launch.once =
        std::ranges::all_of(launch.reads(), [&](BufferId id) { return known[id.index()] != 0; });
    if (!launch.once) continue;
    known[launch.result().index()] = 1;
    plan.buffers[launch.result().index()].stays = true;
  }
}

void find_lives(Plan& plan) {
  const std::size_t end = plan.launches.size();
  for (std::size_t i = 0; i < end; ++i) {
    const Launch& launch = plan.launches[i];
    Buffer& result = plan.buffers[launch.result().index()];
    result.first = result.last = i;
    for (const BufferId id : launch.reads()) plan.buffers[id.index()].last = i;
  }
  for (const BufferId id : plan.inputs) plan.buffers[id.index()].stays = true;
  for (Buffer& buffer : plan.buffers) {
    if (!buffer.stays) continue;
    buffer.first = 0;
    buffer.last = end;
  }
  for (const BufferId id : plan.outputs) plan.buffers[id.index()].last = end;
}

// Every thread reads of that buffer what stands where it writes, and nothing else.
bool reads_in_place(const Kernel& kernel, std::size_t which) {
  const Shape positions = kernel.positions();
  return std::ranges::all_of(in_order(kernel.value), [&](const Expression* e) {
    return e->kind != Expression::Kind::Load || e->which != static_cast<int>(which) ||
           is_position(offset_of(e->index, kernel.reads[which], positions), positions);
  });
}

// The buffer that the launch may write its result over.
std::optional<BufferId> overwritten(const Plan& plan, std::size_t number) {
  const auto* launch = std::get_if<KernelLaunch>(&plan.launches[number].what);
  if (launch == nullptr || !launch->kernel.folds.empty()) return std::nullopt;
  const Buffer& result = plan.buffer(launch->result);
  if (result.stays) return std::nullopt;
  for (std::size_t b = 0; b < launch->reads.size(); ++b) {
    const Buffer& read = plan.buffer(launch->reads[b]);
    const bool only_sight = std::ranges::count(launch->reads, launch->reads[b]) == 1;
    if (read.role == Role::Value && !read.stays && read.last == number && only_sight &&
        read.elements == result.elements && reads_in_place(launch->kernel, b))
      return launch->reads[b];
  }
  return std::nullopt;
}

void share_places(Plan& plan) {
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const auto over = overwritten(plan, i);
    if (over) plan.buffers[plan.launches[i].result().index()].over = over;
  }
}

// The first of those that share its place.
std::size_t owner_of(const Plan& plan, std::size_t buffer) {
  while (plan.buffers[buffer].over) buffer = plan.buffers[buffer].over->index();
  return buffer;
}

}  // namespace

void lay_out(Plan& plan) {
  find_what_is_made_once(plan);
  find_lives(plan);
  share_places(plan);
  std::vector<Life> lives(plan.buffers.size());
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const Buffer& buffer = plan.buffers[i];
    if (buffer.role == Role::Constant) continue;
    Life& life = lives[owner_of(plan, i)];
    const bool is_owner = !buffer.over;
    life.bytes = buffer.bytes();
    life.first = is_owner ? buffer.first : life.first;
    life.last = std::max(life.last, buffer.last);
  }
  plan.arena = place(lives);
  for (std::size_t i = 0; i < lives.size(); ++i)
    plan.buffers[i].offset = lives[owner_of(plan, i)].offset;
}

}  // namespace pet::gpu
