#include "app/common/split_command.h"

namespace pet::app {
namespace {

class Splitter {
 public:
  explicit Splitter(std::string_view text) : rest_(text) {}

  Result<std::vector<std::string>> split() {
    while (!rest_.empty()) {
      const char c = take();
      if (quote_ != 0) {
        quoted(c);
      } else if (c == ' ' || c == '\t' || c == '\n') {
        end_word();
      } else {
        plain(c);
      }
    }
    if (quote_ != 0) return Error{"a quote stays open in the command", ErrorKind::Usage};
    end_word();
    if (words_.empty()) return Error{"the command is empty", ErrorKind::Usage};
    return std::move(words_);
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void quoted(char c) {
    if (c == quote_) {
      quote_ = 0;
    } else if (quote_ == '"' && c == '\\' && !rest_.empty() &&
               (rest_.front() == '"' || rest_.front() == '\\')) {
      word_ += take();
    } else {
      word_ += c;
    }
  }

  void plain(char c) {
    in_word_ = true;
    if (c == '\'' || c == '"') {
      quote_ = c;
    } else {
      word_ += c == '\\' && !rest_.empty() ? take() : c;
    }
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view rest_;
  std::vector<std::string> words_;
  std::string word_;
  bool in_word_ = false;
  char quote_ = 0;
};

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  return Splitter(text).split();
}

}  // namespace pet::app
