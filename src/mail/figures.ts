import { ago, DAY_MS, now } from '@/core/clock'
import { db } from '@/db/client'
import { countMails, type MailCounts } from './queries'

const LANES = ['awaited', 'other'] as const
const NONE: MailCounts = { waiting: 0, retrying: 0, failed: 0, oldestSeconds: null }

type Lane = { lane: (typeof LANES)[number] } & MailCounts

let looking: Promise<Lane[]> | undefined

/** How the letters stand, lane by lane. All who ask at once share one look. */
export const readMailLanes = (): Promise<Lane[]> => {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

async function look(): Promise<Lane[]> {
  const found = await countMails(db, now(), ago(DAY_MS))
  return LANES.map((lane) => ({
    lane,
    ...(found.find(({ isAwaited }) => isAwaited === (lane === 'awaited'))?.counts ?? NONE),
  }))
}

/** The same for both together. */
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
