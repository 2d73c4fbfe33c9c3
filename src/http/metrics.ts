import { statementCount } from '@/db/client'

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

type Series = { count: number; seconds: number; buckets: number[] }

const requests = new Map<string, Series>()

export function countRequest(method: string, route: string, status: number, ms: number) {
  const key = `${method} ${route} ${status}`
  let series = requests.get(key)
  if (series === undefined) {
    series = { count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) }
    requests.set(key, series)
  }
  const seconds = ms / 1000
  series.count += 1
  series.seconds += seconds
  for (let i = BUCKETS.length - 1; i >= 0 && seconds <= (BUCKETS[i] as number); i -= 1)
    series.buckets[i] = (series.buckets[i] as number) + 1
}

/** The Prometheus text of this process. */
export function metricsText(): string {
  const lines = [
    '# HELP folkmoot_http_request_duration_seconds Requests by method, route and status.',
    '# TYPE folkmoot_http_request_duration_seconds histogram',
  ]
  for (const [key, series] of requests) {
    const [method, route, status] = key.split(' ')
    const labels = `method="${method}",route="${route}",status="${status}"`
    BUCKETS.forEach((bound, i) => {
      lines.push(
        `folkmoot_http_request_duration_seconds_bucket{${labels},le="${bound}"} ${series.buckets[i]}`,
      )
    })
    lines.push(
      `folkmoot_http_request_duration_seconds_bucket{${labels},le="+Inf"} ${series.count}`,
      `folkmoot_http_request_duration_seconds_sum{${labels}} ${series.seconds}`,
      `folkmoot_http_request_duration_seconds_count{${labels}} ${series.count}`,
    )
  }
  const memory = process.memoryUsage()
  lines.push(
    '# HELP folkmoot_database_statements_total Statements sent to PostgreSQL.',
    '# TYPE folkmoot_database_statements_total counter',
    `folkmoot_database_statements_total ${statementCount()}`,
    '# HELP process_resident_memory_bytes Resident memory.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${memory.rss}`,
    '# HELP process_uptime_seconds Seconds since the start.',
    '# TYPE process_uptime_seconds gauge',
    `process_uptime_seconds ${process.uptime()}`,
  )
  return `${lines.join('\n')}\n`
}
