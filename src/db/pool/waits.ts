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
