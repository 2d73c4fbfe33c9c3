import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Requests go before the work of this process; and should memory run out, the kernel takes it and not the database. */
export function yieldToOthers() {
  try {
    setPriority(19)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // A system without them does without.
  }
}
