// Words, numbers and errors of the line protocol.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

// Failure is bad input; its text becomes the answer "error TEXT".
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Words = std::vector<std::string>;

// Splits a line at blanks. A word in double quotes keeps its blanks; a
// backslash inside the quotes takes the next character as it is.
Words splitLine(const std::string &line);

// Reads words one after another and says what is missing or wrong.
class Reader {
 public:
  explicit Reader(Words words) : words_(std::move(words)) {}

  bool empty() const { return next_ >= words_.size(); }
  std::size_t left() const { return words_.size() - next_; }
  std::string word(const std::string &what);
  double number(const std::string &what);  // finite
  double positive(const std::string &what);
  int count(const std::string &what, int least, int most);
  std::vector<double> numbers(std::size_t n, const std::string &what);
  void finish() const;  // throws where words are left over

 private:
  Words words_;
  std::size_t next_ = 0;
};

// Reads a finite number that takes up the whole word.
double parseNumber(const std::string &word, const std::string &what);

// A name as splitLine reads it back, and a number with all its digits.
std::string quoted(const std::string &name);
std::string digits(double x);
