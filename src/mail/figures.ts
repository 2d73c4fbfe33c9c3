import { ago, DAY_MS, now } from '@/core/clock'
import { db } from '@/db/client'
import { countMails, MAIL_LANES, type MailCounts, type MailLane } from './queries'

const NONE: MailCounts = { waiting: 0, retrying: 0, failed: 0, oldestSeconds: null }

type Lane = { lane: MailLane } & MailCounts

let looking: Promise<Lane[]> | undefined

/** Counts the letters of each lane. Concurrent callers share one query. */
export const readMailLanes = (): Promise<Lane[]> => {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

async function look(): Promise<Lane[]> {
  const found = await countMails(db, now(), ago(DAY_MS))
  return MAIL_LANES.map((lane) => found.find((one) => one.lane === lane) ?? { lane, ...NONE })
}

/** Counts the letters of all lanes together. */
export async function readMailFigures(): Promise<MailCounts> {
  const lanes = await readMailLanes()
  const sum = (figure: 'waiting' | 'retrying' | 'failed') =>
    lanes.reduce((total, lane) => total + lane[figure], 0)
  const oldest = lanes.map(({ oldestSeconds }) => oldestSeconds).filter((seconds) => seconds !== null)
  return {
    waiting: sum('waiting'),
    retrying: sum('retrying'),
    failed: sum('failed'),
    oldestSeconds: oldest.length === 0 ? null : Math.max(...oldest),
  }
}
