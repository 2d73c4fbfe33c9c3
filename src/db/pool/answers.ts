export const answers = {
  /** Statement timeouts (57014) and lock timeouts (55P03). */
  cancelled: 0,
  lockTimeouts: 0,
  /** By `performance.now()`; an error counts as an answer. */
  lastAt: Number.NEGATIVE_INFINITY,
}

export function noteAnswer(code?: string): void {
  answers.lastAt = performance.now()
  if (code === '57014') answers.cancelled += 1
  else if (code === '55P03') answers.lockTimeouts += 1
}
