// The driver, and NVRTC: "machine code" is the path of a library that this machine's compiler made.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <string>

#include "tests/gpu/fake_cuda/stream.h"

namespace {

using pet::fake::Graph;
using pet::fake::submit;

constexpr int kInvalid = 1;
constexpr int kOutOfMemory = 2;

constexpr int kIllegalAddress = 700;

std::map<unsigned long long, std::size_t> allocations;

// With PET_FAKE_LAUNCHES=N a process's device fails at the launch after so many, and from then on.
long launches = 0;
bool is_lost() {
  const char* most = std::getenv("PET_FAKE_LAUNCHES");
  return most != nullptr && launches > std::strtol(most, nullptr, 10);
}

bool is_inside(unsigned long long address, std::size_t bytes) {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin()) return false;
  --next;
  return address + bytes <= next->first + next->second;
}

struct Event {
  std::chrono::steady_clock::time_point at;
};

struct Function {
  void (*run)(void**, long long, int) = nullptr;
  int parameters = 0;
};

struct Module {
  void* library = nullptr;
  std::map<std::string, Function> functions;
};

struct Program {
  std::string text, log, path;
};

std::filesystem::path scratch() {
  static const auto folder = [] {
    auto path = std::filesystem::temp_directory_path() / fmt::format("pet_fake_cuda_{}", getpid());
    std::filesystem::create_directories(path);
    return path;
  }();
  return folder;
}

struct Cleaner {
  Cleaner() { scratch(); }  // or the path would be gone first
  ~Cleaner() {
    std::error_code failed;
    std::filesystem::remove_all(scratch(), failed);
  }
} cleaner;

// Calls each kernel with its parameters as cuLaunchKernel has them.
std::string wrappers(const std::string& text) {
  static const std::regex kernel(R"(extern "C" __global__ void (\w+)\(([^)]*)\))");
  std::string out;
  for (std::sregex_iterator it(text.begin(), text.end(), kernel), end; it != end; ++it) {
    const std::string name = (*it)[1];
    const std::string parameters = (*it)[2];
    const auto next = text.find("extern \"C\"", static_cast<std::size_t>(it->position()) + 1);
    const auto body = text.substr(static_cast<std::size_t>(it->position()),
                                  next - static_cast<std::size_t>(it->position()));
    const bool meets = body.find("__syncthreads") != std::string::npos;
    const auto commas = std::count(parameters.begin(), parameters.end(), ',');
    const auto count = parameters.empty() ? 0 : commas + 1;
    std::string arguments;
    for (std::ptrdiff_t i = 0; i < count; ++i)
      arguments += fmt::format("{}*(float**)p[{}]", i == 0 ? "" : ", ", i);
    out += fmt::format(
        "extern \"C\" int count_{0} = {1};\nextern \"C\" void run_{0}(void** p, long long "
        "blocks, int threads) {{ (void)p; run(blocks, threads, {2}, [&] {{ {0}({3}); }}); }}\n",
        name, count, meets, arguments);
  }
  return out;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "a fake GPU", static_cast<std::size_t>(size));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 38 ? 1 << 20 : 1024;
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{4} << 30, 0; }
int cuDeviceGetPCIBusId(char* text, int size, int) {
  std::strncpy(text, "0000:01:00.0", static_cast<std::size_t>(size));
  return 0;
}
int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* place, void** device) {
  return *device = &allocations, std::strcmp(place, "0000:01:00.0");
}
int nvmlDeviceGetClockInfo(void*, int kind, unsigned* mhz) { return *mhz = 1500, kind != 1; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  return *reasons = 1, 0;  // idle
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void*) { return *count = 2, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &allocations, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return is_lost() ? kIllegalAddress : 0; }
int cuGetErrorName(int, const char** name) { return *name = "FAKE", 0; }
int cuGetErrorString(int, const char** words) { return *words = "refused by the fake driver", 0; }

int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (bytes == 0) return kInvalid;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (memory == nullptr) return kOutOfMemory;
  std::memset(memory, 0xff, bytes);
  *address = reinterpret_cast<unsigned long long>(memory);
  allocations[*address] = bytes;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  if (allocations.erase(address) != 1) return kInvalid;
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *total = std::size_t{4} << 30;
  *free = *total;
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
  if (!is_inside(to, bytes)) return kInvalid;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  if (!is_inside(from, bytes)) return kInvalid;
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void*) {
  if (!is_inside(to, bytes) || !is_inside(from, bytes)) return kInvalid;
  submit([=] { std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes); });
  return 0;
}
int cuMemsetD32Async(unsigned long long to, unsigned value, std::size_t count, void*) {
  if (!is_inside(to, count * sizeof value)) return kInvalid;
  submit([=] { std::fill_n(reinterpret_cast<unsigned*>(to), count, value); });
  return 0;
}

int cuStreamCreate(void** stream, unsigned) { return *stream = &allocations, 0; }
int cuStreamDestroy_v2(void*) { return 0; }
int cuStreamSynchronize(void*) { return pet::fake::recording != nullptr ? kInvalid : 0; }
int cuStreamBeginCapture_v2(void*, int) {
  if (pet::fake::recording != nullptr) return kInvalid;
  pet::fake::recording = new Graph;
  return 0;
}
int cuStreamEndCapture(void*, void** graph) {
  if (pet::fake::recording == nullptr) return kInvalid;
  *graph = pet::fake::recording;
  pet::fake::recording = nullptr;
  return 0;
}
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  *executable = new Graph(*static_cast<Graph*>(graph));
  return 0;
}
int cuGraphDestroy(void* graph) { return delete static_cast<Graph*>(graph), 0; }
int cuGraphExecDestroy(void* graph) { return delete static_cast<Graph*>(graph), 0; }
int cuGraphLaunch(void* graph, void*) {
  while (std::getenv("PET_FAKE_HANG") != nullptr) sleep(1);
  ++launches;
  if (is_lost()) return kIllegalAddress;
  for (const auto& step : static_cast<Graph*>(graph)->steps) step();
  return 0;
}

int cuEventCreate(void** event, unsigned) { return *event = new Event, 0; }
int cuEventDestroy_v2(void* event) { return delete static_cast<Event*>(event), 0; }
int cuEventRecord(void* event, void*) {
  static_cast<Event*>(event)->at = std::chrono::steady_clock::now();
  return 0;
}
int cuEventSynchronize(void*) { return 0; }
int cuEventElapsedTime(float* ms, void* begin, void* end) {
  const std::chrono::duration<float, std::milli> took =
      static_cast<Event*>(end)->at - static_cast<Event*>(begin)->at;
  *ms = took.count();
  return 0;
}

int cuModuleLoadData(void** module, const void* image) {
  auto made = std::make_unique<Module>();
  made->library = dlopen(static_cast<const char*>(image), RTLD_NOW | RTLD_LOCAL);
  if (made->library == nullptr) return kInvalid;
  *module = made.release();
  return 0;
}
int cuModuleUnload(void* module) {
  auto* it = static_cast<Module*>(module);
  dlclose(it->library);
  delete it;
  return 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  auto* it = static_cast<Module*>(module);
  Function& found = it->functions[name];
  found.run = reinterpret_cast<decltype(found.run)>(
      dlsym(it->library, (std::string("run_") + name).c_str()));
  const auto* count = static_cast<int*>(dlsym(it->library, (std::string("count_") + name).c_str()));
  if (found.run == nullptr || count == nullptr) return kInvalid;
  found.parameters = *count;
  *function = &found;
  return 0;
}
int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threads,
                   unsigned ty, unsigned tz, unsigned, void*, void** parameters, void**) {
  ++launches;
  if (is_lost()) return kIllegalAddress;
  if (x == 0 || threads == 0 || threads > 1024 || y * z * ty * tz != 1) return kInvalid;
  const Function* it = static_cast<Function*>(function);
  std::vector<void*> values;
  for (int i = 0; i < it->parameters; ++i) values.push_back(*static_cast<void**>(parameters[i]));
  submit([=]() mutable {
    std::vector<void*> places;
    for (void*& value : values) places.push_back(&value);
    it->run(places.data(), x, static_cast<int>(threads));
  });
  return 0;
}

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
const char* nvrtcGetErrorString(int) { return "refused by the fake compiler"; }
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*,
                       const char* const*) {
  *program = new Program{text, "", ""};
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return 0;
}
int nvrtcCompileProgram(void* program, int, const char* const*) {
  static int number = 0;
  auto* it = static_cast<Program*>(program);
  const auto source = scratch() / fmt::format("p{}.cpp", ++number);
  const auto library = scratch() / fmt::format("p{}.so", number);
  std::ofstream(source) << "#include \"gpu/kernel/dialect.h\"\n" << it->text << wrappers(it->text);
  const std::string command =
      fmt::format("{} -std=c++20 -O0 -w -shared -fPIC -I {} {} -o {}", PET_COMPILER, PET_SOURCE_DIR,
                  source.string(), library.string());
  if (std::system(command.c_str()) != 0) return kInvalid;
  it->path = library.string();
  return 0;
}
int nvrtcGetProgramLogSize(void*, std::size_t* size) { return *size = 0, 0; }
int nvrtcGetProgramLog(void*, char*) { return 0; }
int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->path.size() + 1;
  return 0;
}
int nvrtcGetCUBIN(void* program, char* image) {
  std::strcpy(image, static_cast<Program*>(program)->path.c_str());
  return 0;
}

}  // extern "C"
