// Uses the same function.
#define VERBOSE
#include "report.h"

void report_nothing() {
  const float none[4] = {};
  report(none);
}
