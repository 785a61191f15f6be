// Package verdicts holds what the command firstcontact says of real planning
// problems against what FCL sees at samples: its tests run the command and the
// oracle of lab/oracle side by side.
package verdicts
