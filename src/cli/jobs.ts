import { readJobs } from '@/modules/administration/jobs/actions'
import { listDeadWork, retryDeadWork } from '@/modules/administration/jobs/dead/actions'
import { CATALOGUE } from './catalogue'
import { command } from './command'
import { counted } from './units'

export const jobs = command(readJobs, {
  ...CATALOGUE.jobs,
  show: ({ queues, outbox, deliveries, subscriptions, uploads, mails }) =>
    [
      table(
        ['queue', 'waiting', 'active', 'delayed', 'failed', 'oldest'],
        queues.map((queue) => [
          queue.name,
          queue.waiting,
          queue.active,
          queue.delayed,
          queue.failed,
          age(queue.oldestSeconds),
        ]),
      ),
      `Domain events not relayed yet: ${outbox.pending}${oldest(outbox)}`,
      `Webhook messages due: ${deliveries.due}; dead: ${deliveries.dead}`,
      `Feed subscriptions due: ${subscriptions.due}; failing: ${subscriptions.failing}; unverified: ${subscriptions.unverified}`,
      `Uploaded files to check: ${uploads.waiting}${oldest(uploads)}`,
      `Emails due: ${mails.waiting}${oldest(mails)}; retrying: ${mails.retrying}; failed in the last day: ${mails.failed}`,
    ].join('\n\n'),
})

const age = (seconds: number | null) => (seconds === null ? '-' : `${seconds} s`)

const oldest = ({ oldestSeconds }: { oldestSeconds: number | null }) =>
  oldestSeconds === null ? '' : `, the oldest ${age(oldestSeconds)} old`

export const deadJobs = command(listDeadWork, {
  ...CATALOGUE.deadJobs,
  show: ({ work, isCutShort }) =>
    work.length === 0
      ? 'No failed work.'
      : [
          table(
            ['kind', 'id', 'since', 'attempts', 'what', 'last error'],
            work.map(({ kind, id, at, attempts, what, error }) => [
              kind,
              id,
              at,
              attempts,
              what,
              error ?? '-',
            ]),
          ),
          ...(isCutShort ? ['Lists at most 100 per kind; there are more.'] : []),
          'Fix the cause, then run "folkmoot jobs retry <id, kind or all>"; emails cannot be retried.',
        ].join('\n\n'),
})

export const retryJobs = command(retryDeadWork, {
  ...CATALOGUE.retryJobs,
  input: ([which]) => ({ which }),
  show: ({ events, reactions, messages, jobs: longWork, isCutShort }) => {
    const said = [
      [events, 'domain event'],
      [reactions, 'reaction'],
      [messages, 'webhook message'],
      [longWork, 'job'],
    ] as const
    const list = said.filter(([count]) => count > 0).map(([count, one]) => counted(count, one))
    if (list.length === 0) return 'There is no failed work to retry.'
    return `Retrying: ${list.join(', ')}. A worker takes them up within seconds.${isCutShort ? ' There are more: run it again.' : ''}`
  },
})

type Cell = string | number

/** A table with aligned columns; numbers to the right. */
function table(heads: string[], rows: Cell[][]): string {
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => String(row[at] ?? '').length)),
  )
  const line = (cells: Cell[]) =>
    cells
      .map((cell, at) => {
        const width = widths[at] as number
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(heads), ...rows.map(line)].join('\n')
}
