#include "text.h"

#include <cmath>
#include <cstdio>
#include <locale>
#include <sstream>

Words splitLine(const std::string &line) {
  Words words;
  std::size_t i = 0;
  while (true) {
    while (i < line.size() && std::isspace(static_cast<unsigned char>(line[i]))) i++;
    if (i >= line.size()) return words;
    std::string word;
    if (line[i] != '"') {
      while (i < line.size() && !std::isspace(static_cast<unsigned char>(line[i]))) word += line[i++];
    } else {
      for (i++; i < line.size() && line[i] != '"'; i++) {
        if (line[i] == '\\' && i + 1 < line.size()) i++;
        word += line[i];
      }
      if (i >= line.size()) throw Failure("a quoted word is not closed");
      i++;
    }
    words.push_back(word);
  }
}

double parseNumber(const std::string &word, const std::string &what) {
  std::istringstream in(word);
  in.imbue(std::locale::classic());
  double x = 0;
  if (!(in >> x) || !in.eof() || !std::isfinite(x))
    throw Failure(what + ": " + quoted(word) + " is not a finite number");
  return x;
}

std::string Reader::word(const std::string &what) {
  if (empty()) throw Failure(what + " is missing");
  return words_[next_++];
}

double Reader::number(const std::string &what) { return parseNumber(word(what), what); }

double Reader::positive(const std::string &what) {
  const double x = number(what);
  if (!(x > 0)) throw Failure(what + " must be greater than 0, not " + digits(x));
  return x;
}

int Reader::count(const std::string &what, int least, int most) {
  const double x = number(what);
  if (x != std::floor(x) || x < least || x > most)
    throw Failure(what + " must be a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most) + ", not " + digits(x));
  return static_cast<int>(x);
}

std::vector<double> Reader::numbers(std::size_t n, const std::string &what) {
  std::vector<double> xs(n);
  for (auto &x : xs) x = number(what);
  return xs;
}

void Reader::finish() const {
  if (!empty()) throw Failure("too many words, from " + quoted(words_[next_]) + " on");
}

std::string quoted(const std::string &name) {
  if (!name.empty() && name.find_first_of(" \t\r\n\"\\") == std::string::npos) return name;
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + '"';
}

std::string digits(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}
