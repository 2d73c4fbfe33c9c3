import { statementCount } from '@/db/client'

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

type Series = { count: number; seconds: number; buckets: number[] }

/**
 * By route, then by method and status: none of the keys has to be put together for a request. `prom-client` does that for
 * each of them and takes seven times as long, and 50 ms to load (docs/performance.md).
 */
const requests = new Map<string, Map<string, Map<number, Series>>>()

export function countRequest(method: string, route: string, status: number, ms: number) {
  const byMethod = within(requests, route, () => new Map<string, Map<number, Series>>())
  const byStatus = within(byMethod, method, () => new Map<number, Series>())
  const series = within(byStatus, status, () => ({ count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) }))
  const seconds = ms / 1000
  series.count += 1
  series.seconds += seconds
  for (let i = BUCKETS.length - 1; i >= 0 && seconds <= (BUCKETS[i] as number); i -= 1)
    series.buckets[i] = (series.buckets[i] as number) + 1
}

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

function* allSeries() {
  for (const [route, byMethod] of requests)
    for (const [method, byStatus] of byMethod)
      for (const [status, series] of byStatus)
        yield { labels: `method="${method}",route="${route}",status="${status}"`, series }
}

/** The Prometheus text of this process. */
export function metricsText(): string {
  const lines = [
    '# HELP folkmoot_http_request_duration_seconds Requests by method, route and status.',
    '# TYPE folkmoot_http_request_duration_seconds histogram',
  ]
  for (const { labels, series } of allSeries()) {
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
