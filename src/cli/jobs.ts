import { readJobs } from '@/modules/administration/jobs/actions'
import { command } from './command'
import { table } from './table'

export const jobs = command(readJobs, {
  name: 'jobs',
  summary:
    'How the work in the background stands: queues, print sheets, domain events, webhook messages, uploaded files, mails.',
  example: 'folkmoot jobs --json',
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
      `Domain events that nobody has taken up: ${outbox.pending}${oldest(outbox)}`,
      `Webhook messages that are due: ${deliveries.due}; given up: ${deliveries.dead}`,
      `Subscriptions to feeds that are due: ${subscriptions.due}; failing: ${subscriptions.failing}; unverified: ${subscriptions.unverified}`,
      `Uploaded files that wait for their check: ${uploads.waiting}${oldest(uploads)}`,
      `Mails that should be on their way: ${mails.waiting}${oldest(mails)}; tried again: ${mails.retrying}; failed in the last day: ${mails.failed}`,
    ].join('\n\n'),
})

const age = (seconds: number | null) => (seconds === null ? '-' : `${seconds} s`)

const oldest = ({ oldestSeconds }: { oldestSeconds: number | null }) =>
  oldestSeconds === null ? '' : `, the oldest ${age(oldestSeconds)} old`
