#ifndef FIRSTCONTACT_FASTDDS_GUARD_HPP
#define FIRSTCONTACT_FASTDDS_GUARD_HPP

#include <cstring>
#include <exception>
#include <stdexcept>

namespace firstcontact {

/* guarded runs work, and turns an exception into false and *error. */
template <typename Work> bool guarded (char **error, Work work)
{
  try {
    work ();
    return true;
  } catch (const std::exception &e) {
    *error = strdup (e.what ());
  } catch (...) {
    *error = strdup ("an unknown exception");
  }
  return false;
}

} // namespace firstcontact

#endif
