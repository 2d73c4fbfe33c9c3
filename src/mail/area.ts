import { DAY_MS } from '@/core/clock'
import { sampled } from '@/core/metrics'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { readMailLanes } from './figures'
import { deleteOldItems } from './gathered/queries'
import { DEDUPLICATION_MS } from './post'
import { deleteFinishedMails } from './queries'
import { deleteKept, deleteOldRefusals } from './recipient-queries'

const STATES = ['waiting', 'retrying', 'failed'] as const

/** Prometheus lines of the mail queue. */
async function mailLines(): Promise<string[]> {
  const lanes = await readMailLanes()
  return [
    ...sampled(
      'gauge',
      'folkmoot_mails',
      'Letters by lane: waiting, retrying after a failure, failed in the last day.',
      lanes.flatMap((figures) =>
        STATES.map((state) => [{ lane: figures.lane, state }, figures[state]] as const),
      ),
    ),
    ...sampled(
      'gauge',
      'folkmoot_mails_oldest_seconds',
      'Age of the oldest due letter.',
      lanes.map(({ lane, oldestSeconds }) => [{ lane }, oldestSeconds ?? 0] as const),
    ),
  ]
}

export const mailArea = {
  sweeps: [
    sweep({
      name: 'finished mails',
      keeps: { ms: DEDUPLICATION_MS, after: 'it was sent' },
      run: (before) => deleteFinishedMails(db, before),
    }),
    sweep({
      name: 'mail items',
      keeps: { ms: DEDUPLICATION_MS, after: 'it was added' },
      run: (before) => deleteOldItems(db, before),
    }),
    sweep({
      name: 'refusing mailboxes',
      keeps: { ms: 30 * DAY_MS, after: 'it last refused' },
      run: (before) => deleteOldRefusals(db, before),
    }),
    sweep({
      name: 'kept mails',
      keeps: { ms: DAY_MS, after: 'it was kept' },
      run: (before) => deleteKept(db, before),
    }),
  ],
  metrics: [mailLines],
}
