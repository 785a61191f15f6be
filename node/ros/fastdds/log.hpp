#ifndef FIRSTCONTACT_FASTDDS_LOG_HPP
#define FIRSTCONTACT_FASTDDS_LOG_HPP

namespace firstcontact {

/* log_to_go sends the library's log to fdLogged instead of the standard
   streams. */
void log_to_go ();

} // namespace firstcontact

#endif
