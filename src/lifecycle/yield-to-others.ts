import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Lowers the priority below requests, and makes the kernel's OOM killer choose this process before the database. */
export function yieldToOthers() {
  try {
    setPriority(19)
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not supported by every system.
  }
}
