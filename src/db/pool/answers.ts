import { Histogram } from '@/core/metrics'

const waits = new Histogram(
  'folkmoot_database_pool_wait_seconds',
  'How long those waited for a connection who found none free.',
  [0.005, 0.01, 0.05, 0.1, 0.5, 1, 1.5],
)

export function waitsOf(pool: string): (seconds: number) => void {
  const series = waits.of({ pool })
  return (seconds) => waits.observe(series, seconds)
}

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
