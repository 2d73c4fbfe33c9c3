import { sampled } from '@/core/metrics'
import { readMailLanes } from './figures'

const STATES = ['waiting', 'retrying', 'failed'] as const

/** The Prometheus lines of letters. */
export async function mailLines(): Promise<string[]> {
  const lanes = await readMailLanes()
  return [
    ...sampled(
      'gauge',
      'folkmoot_mails',
      'Letters by lane: waiting to be sent, retrying after a failure, given up in the last day.',
      lanes.flatMap((figures) =>
        STATES.map((state) => [{ lane: figures.lane, state }, figures[state]] as const),
      ),
    ),
    ...sampled(
      'gauge',
      'folkmoot_mails_oldest_seconds',
      'How long the oldest letter that is due has waited.',
      lanes.map(({ lane, oldestSeconds }) => [{ lane }, oldestSeconds ?? 0] as const),
    ),
  ]
}
