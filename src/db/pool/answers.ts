/** What PostgreSQL answered to statements of this process. */
export const answers = {
  /** Statements that ran into the time limit (57014), and into that for a lock (55P03). */
  cancelled: 0,
  lockTimeouts: 0,
  /** By `performance.now()`; an error is an answer, too. */
  lastAt: Number.NEGATIVE_INFINITY,
}

export function noteAnswer(code?: string): void {
  answers.lastAt = performance.now()
  if (code === '57014') answers.cancelled += 1
  else if (code === '55P03') answers.lockTimeouts += 1
}
