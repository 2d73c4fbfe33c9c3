import { cpus } from 'node:os'
import type { Agents } from './agents'
import { ROUND_SECONDS, ROUNDS } from './compare'
import { type Backlog, DELIVERIES, type Deliveries } from './deliveries'
import type { Feeds } from './feeds'
import { MEMORY_REQUESTS, START } from './figures'
import type { Flat } from './flat'
import type { Outcome } from './group'
import type { Isolation } from './isolation'
import { CONNECTIONS } from './load/generator'
import type { PageRendering } from './page-rendering'
import { PAGES } from './pages'
import { PASS_SHEETS, type PassSheets } from './pass-sheets'
import { placement } from './pin'
import type { Printing } from './printing'
import type { Row } from './rows'
import { table } from './table'
import type { Uploads } from './uploads'
import type { Writes } from './writes'

const DOUBT = 0.1

type Outcomes = Map<Row, Outcome>

type Findings = {
  generator: string
  rows: Row[]
  /** What is measured only together with everything else may be missing. */
  embedded: { outcomes: Outcomes; megabytes: number | undefined }
  redis: { outcomes: Outcomes; counted: number } | undefined
  readyMs: number | undefined
  writes: Writes
  deliveries: Deliveries | undefined
  backlog: Backlog | undefined
  isolation: Isolation | undefined
  uploads: Uploads | undefined
  printing: Printing | undefined
  feeds: Feeds | undefined
  pages: PageRendering[] | undefined
  agents: Agents | undefined
  passSheets: PassSheets | undefined
  flat: Flat[]
}

export const report = (findings: Findings): string =>
  [
    preamble(findings),
    comparisons(findings),
    ...writes(findings),
    ...deliveries(findings),
    ...uploads(findings),
    ...printing(findings),
    ...feeds(findings),
    ...pages(findings),
    ...agents(findings),
    ...passSheets(findings),
    ...figures(findings),
    ...flatness(findings),
    ...failures(findings),
  ].join('\n\n')

const preamble = ({ generator, redis }: Findings) =>
  [
    `Folkmoot against bare Bun.serve that answers the same bytes and headers`,
    `Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}`,
    `Load: ${generator}, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_SECONDS} s each`,
    `Cores: ${placement}`,
    'Ratio: of requests per second. By cpu: of requests per second of the server’s processor time.',
    'A question mark: these two are far apart, so the machine was disturbed or the server had to wait.',
    ...(redis ? [] : ['Redis: NOT FOUND, its half is missing']),
  ].join('\n')

function comparisons({ rows, embedded, redis }: Findings): string {
  const heads = ['bare/s', 'route/s', 'by cpu', 'ratio', 'wanted', '']
  return table([
    ['', 'embedded', '', '', '', '', '', 'Redis', '', '', '', '', ''],
    ['route', ...heads, ...heads],
    ...rows.map((row) => [
      row.name,
      ...cells(embedded.outcomes.get(row), row.wanted.embedded),
      ...cells(redis?.outcomes.get(row), row.wanted.redis),
    ]),
  ])
}

function cells(outcome: Outcome | undefined, wanted: number): string[] {
  if (!outcome) return ['-', '-', '-', '-', wanted.toFixed(2), '']
  if ('failed' in outcome) return ['-', '-', '-', '-', wanted.toFixed(2), 'FAILED']
  const { bare, route, ratio, cpuRatio } = outcome
  const shown = ratio.toFixed(2)
  const byCpu = Number.isNaN(cpuRatio) ? '-' : cpuRatio.toFixed(2)
  const doubt = Math.abs(ratio - cpuRatio) > DOUBT ? '?' : ''
  return [whole(bare), whole(route), byCpu, shown, wanted.toFixed(2), mark(Number(shown) >= wanted) + doubt]
}

const writes = ({ writes: found }: Findings): string[] => {
  if (found === 'no pgbench') return ['pgbench: NOT FOUND, writes were not measured']
  if (found.length === 0) return []
  return [
    table([
      ['write', 'pgbench/s', 'ours/s', 'ratio', 'wanted', ''],
      ...found.map(({ name, wanted, pgbench, ours, ratio }) => [
        name,
        whole(pgbench),
        whole(ours),
        ratio.toFixed(2),
        wanted.toFixed(2),
        mark(ratio >= wanted),
      ]),
    ]),
  ]
}

const BACKLOG_MAX = 2

const ISOLATION_MAX = 1.5
const ISOLATION_MS_MAX = 2000

const deliveries = ({ deliveries: found, backlog, isolation }: Findings): string[] => [
  ...(found
    ? [
        table([
          ['work in the background', 'BullMQ/s', 'ours/s', 'ratio', 'wanted', ''],
          [
            DELIVERIES.name,
            whole(found.bullmq),
            whole(found.ours),
            found.ratio.toFixed(2),
            DELIVERIES.wanted.toFixed(2),
            mark(found.ratio >= DELIVERIES.wanted),
          ],
        ]),
      ]
    : []),
  ...(isolation
    ? [
        table([
          [
            'change to first attempt, 99th percentile',
            'alone',
            'beside four bad ones',
            'times',
            'wanted',
            '',
          ],
          [
            'a healthy receiver',
            `${isolation.alone.toFixed(1)} ms`,
            `${isolation.beside.toFixed(1)} ms`,
            (isolation.beside / isolation.alone).toFixed(2),
            `≤ ${ISOLATION_MAX}, ≤ 2 s`,
            mark(isolation.beside / isolation.alone <= ISOLATION_MAX && isolation.beside <= ISOLATION_MS_MAX),
          ],
        ]),
      ]
    : []),
  ...(backlog
    ? [
        table([
          ['99th percentile of the API', 'idle', 'with 100,000 due', 'times', 'wanted', ''],
          [
            'GET /v1/profile/tokens, 200 a second',
            `${backlog.idle.toFixed(2)} ms`,
            `${backlog.busy.toFixed(2)} ms`,
            (backlog.busy / backlog.idle).toFixed(2),
            `≤ ${BACKLOG_MAX}`,
            mark(backlog.busy / backlog.idle <= BACKLOG_MAX),
          ],
        ]),
      ]
    : []),
]

const MORE_MEMORY_MAX = 50
const PHOTOS_MAX = 1.5

const uploads = ({ uploads: found }: Findings): string[] =>
  found
    ? [
        table([
          ['resident memory of the server', 'before', 'at most', 'more', 'wanted', ''],
          [
            '100 uploads of 10 MB at once',
            `${whole(found.memory.before)} MB`,
            `${whole(found.memory.peak)} MB`,
            `${whole(found.memory.peak - found.memory.before)} MB`,
            `≤ ${MORE_MEMORY_MAX} MB`,
            mark(found.memory.peak - found.memory.before <= MORE_MEMORY_MAX),
          ],
        ]),
        table([
          ['99th percentile of the API', 'alone', 'beside photos', 'times', 'wanted', ''],
          [
            `GET /v1/uploads/usage, 200 a second, beside ${found.api.photos} photos of 12 MP`,
            `${found.api.alone.toFixed(2)} ms`,
            `${found.api.beside.toFixed(2)} ms`,
            (found.api.beside / found.api.alone).toFixed(2),
            `≤ ${PHOTOS_MAX}`,
            mark(found.api.beside / found.api.alone <= PHOTOS_MAX),
          ],
        ]),
      ]
    : []

const PRINTING_MAX = 2

const printing = ({ printing: found }: Findings): string[] =>
  found
    ? [
        table([
          ['99th percentile of the API', 'alone', 'beside badges', 'times', 'wanted', ''],
          [
            `GET /v1/uploads/usage, 200 a second, beside ${found.sheets} sheets of 1,000 badges`,
            `${found.alone.toFixed(2)} ms`,
            `${found.beside.toFixed(2)} ms`,
            (found.beside / found.alone).toFixed(2),
            `≤ ${PRINTING_MAX}`,
            mark(found.beside / found.alone <= PRINTING_MAX),
          ],
        ]),
      ]
    : []

const RENDERING_MAX = 50
const STRETCH_MAX = 5
const CALENDARS_MAX = 200

const feeds = ({ feeds: found }: Findings): string[] =>
  found
    ? [
        table([
          ['a feed of 1,000 events, rendered', 'cpu', 'wanted', '', 'longest stretch', 'wanted', ''],
          ...found.renderings.map(({ format, cpuMs, stretchMs }) => [
            format,
            `${cpuMs.toFixed(1)} ms`,
            `< ${RENDERING_MAX} ms`,
            mark(cpuMs < RENDERING_MAX),
            `${stretchMs.toFixed(1)} ms`,
            `≤ ${STRETCH_MAX} ms`,
            mark(stretchMs <= STRETCH_MAX),
          ]),
        ]),
        table([
          ['resident memory of the server', 'before', 'at most', 'not modified', 'wanted', ''],
          [
            '10,000 calendars of people look twice, ten times as fast as every 15 min',
            `${whole(found.calendars.before)} MB`,
            `${whole(found.calendars.peak)} MB`,
            whole(found.calendars.unchanged),
            `< ${CALENDARS_MAX} MB`,
            mark(found.calendars.peak < CALENDARS_MAX),
          ],
        ]),
      ]
    : []

const agents = ({ agents: found }: Findings): string[] =>
  found
    ? [
        table([
          ['calls per second of processor time', 'times', 'wanted', ''],
          [
            'tools/call events_list, to GET /v1/events',
            found.toRoute.toFixed(2),
            '≥ 0.85',
            mark(found.toRoute >= 0.85),
          ],
          ['the same of bare servers: POST, its body read, to GET', found.bare.toFixed(2), '', ''],
          [
            'tools/call events_list, to a server of the official SDK',
            found.toSdk.toFixed(2),
            '≥ 4',
            mark(found.toSdk >= 4),
          ],
          ['ten calls in a batch, to ten calls', found.batch.toFixed(2), '> 1', mark(found.batch > 1)],
        ]),
      ]
    : []

const pages = ({ pages: found }: Findings): string[] =>
  found
    ? [
        table([
          ['a page, made anew after a change', 'cpu', 'wanted', ''],
          ...found.map(({ page, cpuMs }) => [
            page,
            `${cpuMs.toFixed(2)} ms`,
            `≤ ${PAGES.most} ms`,
            mark(cpuMs <= PAGES.most),
          ]),
        ]),
      ]
    : []

const passSheets = ({ passSheets: found }: Findings): string[] =>
  found
    ? [
        table([
          ['processor time', 'empty pages, pdfkit', 'ours', 'times', 'wanted', ''],
          [
            PASS_SHEETS.name,
            `${whole(found.empty)} ms`,
            `${whole(found.badges)} ms`,
            (found.badges / found.empty).toFixed(2),
            `≤ ${PASS_SHEETS.most}`,
            mark(found.badges / found.empty <= PASS_SHEETS.most),
          ],
        ]),
      ]
    : []

const flatness = ({ flat }: Findings): string[] =>
  flat.length === 0
    ? []
    : [
        table([
          ['median answer', '10,000', '1,000,000', 'times', 'wanted', ''],
          ...flat.map(({ name, small, large, wanted }) => [
            name,
            `${small.toFixed(2)} ms`,
            `${large.toFixed(2)} ms`,
            (large / small).toFixed(2),
            `≤ ${wanted}`,
            mark(large / small <= wanted),
          ]),
        ]),
      ]

function figures(findings: Findings): string[] {
  const { embedded, redis, readyMs, rows } = findings
  const { megabytes } = embedded
  if (readyMs === undefined) return []
  const start = [START, `${whole(readyMs)} ms`, '≤ 300 ms', mark(readyMs <= 300)]
  const heading = ['figure', 'found', 'wanted', '']
  if (megabytes === undefined) return [table([heading, start])]
  const lines = [
    heading,
    [
      `resident memory after ${whole(MEMORY_REQUESTS)} × ${rows[0]?.name}`,
      `${whole(megabytes)} MB`,
      '< 150 MB',
      mark(megabytes < 150),
    ],
    start,
    ...statementLines('embedded', rows, embedded.outcomes),
  ]
  if (redis)
    lines.push(...statementLines('Redis', rows, redis.outcomes), [
      'requests that Redis counted, the rest fell back to the process',
      `${(redis.counted * 100).toFixed(1)} %`,
      '> 99 %',
      mark(redis.counted > 0.99),
    ])
  return [table(lines)]
}

const statementLines = (group: string, rows: Row[], outcomes: Outcomes) =>
  rows
    .filter((row) => row.withoutDatabase)
    .map((row) => {
      const outcome = outcomes.get(row)
      const name = `statements per request, ${row.name}, ${group}`
      return outcome && !('failed' in outcome)
        ? [name, outcome.statements.toFixed(4), '< 0.001', mark(outcome.statements < 0.001)]
        : [name, '-', '< 0.001', 'FAILED']
    })

const failures = ({ embedded, redis }: Findings): string[] =>
  Object.entries({ embedded: embedded.outcomes, Redis: redis?.outcomes ?? new Map<Row, Outcome>() }).flatMap(
    ([group, outcomes]) =>
      [...outcomes].flatMap(([row, outcome]) =>
        'failed' in outcome ? [`!! FAILED, ${group}: ${row.name}: ${outcome.failed}`] : [],
      ),
  )

const mark = (isReached: boolean) => (isReached ? 'ok' : 'short')

const whole = (value: number) => Math.round(value).toLocaleString('en')
