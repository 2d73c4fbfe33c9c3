import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { ago, DAY_MS, now } from '@/core/clock'
import { invalidField, notFound } from '@/core/errors'
import { line, oneOf } from '@/core/fields'
import { isId } from '@/core/ids'
import { iso, orNull, wireId, wireTime } from '@/core/shapes'
import { audit } from '@/db/audit'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { listFailedJobs, reviveJobs } from '@/jobs/failed-queries'
import { listFailedMails } from '@/mail/failed-queries'
import { listDeadMessages, reviveMessages } from '@/modules/developers/webhooks/deliveries/given-up-queries'
import { broadcast } from '@/outbox/broadcast'
import { hurryEvents, listDeadReactions, listStuckEvents, reviveReactions } from '@/outbox/dead-letters'

/** Each kind has a dead-letter state. */
const KINDS = ['events', 'reactions', 'messages', 'jobs', 'mails'] as const

const DeadWork = Type.Object({
  work: Type.Array(
    Type.Object({
      kind: oneOf([...KINDS]),
      id: wireId(),
      what: Type.String(),
      attempts: Type.Number(),
      error: orNull(Type.String()),
      at: wireTime(),
      canBeRetried: Type.Boolean(),
    }),
  ),
  isCutShort: Type.Boolean({ description: 'Whether more of a kind exist than are listed.' }),
})

const RetryInput = Type.Object({
  which: line(1, 40, { description: 'An id, a kind, or `all`.' }),
})

const Retried = Type.Object({
  events: Type.Number(),
  reactions: Type.Number(),
  messages: Type.Number(),
  jobs: Type.Number(),
  isCutShort: Type.Boolean({ description: 'Whether more remain: call again.' }),
})

/** Per kind. */
const LISTED_MAX = 100

export const listDeadWork = action({
  name: 'listDeadWork',
  access: 'admin',
  summary: 'List failed background work, with its last error',
  input: Type.Object({}),
  output: DeadWork,
  run: async () => {
    const [events, reactions, messages, jobs, mails] = await Promise.all([
      listStuckEvents(db, LISTED_MAX),
      listDeadReactions(db, LISTED_MAX),
      listDeadMessages(db, LISTED_MAX),
      listFailedJobs(db, LISTED_MAX),
      listFailedMails(db, ago(DAY_MS), LISTED_MAX),
    ])
    const work = [
      ...events.map(({ type, ...row }) => ({ ...row, kind: 'events' as const, what: type, error: null })),
      ...reactions.map(({ type, listener, ...row }) => ({
        ...row,
        kind: 'reactions' as const,
        what: `${listener} on ${type}`,
      })),
      ...messages.map(({ type, webhookId, ...row }) => ({
        ...row,
        kind: 'messages' as const,
        what: `${type} to webhook ${webhookId}`,
      })),
      ...jobs.map(({ kind, ...row }) => ({ ...row, kind: 'jobs' as const, what: kind })),
      ...mails.map(({ letter, outcome, ...row }) => ({
        ...row,
        kind: 'mails' as const,
        what: letter,
        error: outcome,
      })),
    ]
    return {
      work: work.map((one) => ({ ...one, at: iso(one.at), canBeRetried: one.kind !== 'mails' })),
      isCutShort: [events, reactions, messages, jobs, mails].some(({ length }) => length === LISTED_MAX),
    }
  },
})

/** Rows per kind and transaction. */
const RETRIED_MAX = 10_000

export const retryDeadWork = action({
  name: 'retryDeadWork',
  access: 'admin',
  summary: 'Retry failed background work',
  description:
    'Reactions and jobs get a full set of attempts, a webhook message one more. Failed emails cannot be retried.',
  input: RetryInput,
  output: Retried,
  errors: ['not_found'],
  run: (caller, { which }) =>
    transaction(async (tx) => {
      const isMeant = (kind: string) => isId(which) || which === 'all' || which === kind
      if (!['events', 'reactions', 'messages', 'jobs'].some(isMeant))
        throw invalidField('which', 'must be an id, or one of all, events, reactions, messages, jobs')
      const id = isId(which) ? which : null
      const terms = { at: now(), limit: RETRIED_MAX }
      const retried = {
        events: isMeant('events') ? await hurryEvents(tx, id, RETRIED_MAX) : 0,
        reactions: isMeant('reactions') ? await reviveReactions(tx, id, terms) : 0,
        messages: isMeant('messages') ? await reviveMessages(tx, id, terms) : 0,
        jobs: isMeant('jobs') ? await reviveJobs(tx, id, terms) : 0,
      }
      const counts = Object.values(retried)
      const isNothing = counts.every((count) => count === 0)
      if (isNothing && id !== null) throw notFound('Failed work')
      if (isNothing) return { ...retried, isCutShort: false }
      if (retried.jobs > 0) broadcast(tx, { type: 'job.queued', data: {} })
      await audit(tx, caller, { action: 'work.retry', targetType: 'work', targetId: which, changes: retried })
      return { ...retried, isCutShort: counts.includes(RETRIED_MAX) }
    }),
})
