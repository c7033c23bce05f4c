#include "app/pet-worker/build.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "app/common/machine.h"

namespace pet::app {
namespace {

constexpr std::size_t aligned(std::size_t size) { return (size + 3) / 4 * 4; }

// What the linker wrote into one segment of notes; empty where it wrote nothing.
std::string identity_in(const char* notes, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const std::size_t name = aligned(note.n_namesz), content = aligned(note.n_descsz);
    if (sizeof note + name + content > size) break;
    const char* begin = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        std::memcmp(begin, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
      return {begin + name, note.n_descsz};
    notes += sizeof note + name + content;
    size -= sizeof note + name + content;
  }
  return {};
}

std::string identity_of(const dl_phdr_info& library) {
  std::string out;
  for (std::size_t i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type == PT_NOTE && out.empty())
      out = identity_in(reinterpret_cast<const char*>(library.dlpi_addr + segment.p_vaddr),
                        segment.p_memsz);
  }
  return out;
}

struct Library {
  std::uintmax_t size = 0;
  std::string identity;
};
using ByName = std::map<std::string, Library>;

// What is no file (the program itself, what the kernel brings along) is left out.
int add(dl_phdr_info* library, std::size_t, void* to) {
  const std::filesystem::path file = library->dlpi_name;
  std::error_code failed;
  const auto size = std::filesystem::file_size(file, failed);
  if (!failed) static_cast<ByName*>(to)->insert({file.filename(), {size, identity_of(*library)}});
  return 0;
}

}  // namespace

std::string build_digest() {
  ByName all;
  dl_iterate_phdr(add, &all);
  Digester digester("build");
  digester.add(this_program());
  for (const auto& [name, library] : all)
    digester.add(name).add(library.size).add(library.identity);
  return digester.finish().hex();
}

}  // namespace pet::app
