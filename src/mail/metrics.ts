import { readMailLanes } from './figures'

const STATES = ['waiting', 'retrying', 'failed'] as const

/** The Prometheus lines of letters. */
export async function mailLines(): Promise<string[]> {
  const lanes = await readMailLanes()
  return [
    '# HELP folkmoot_mails Letters by lane: waiting to be sent, retrying after a failure, given up in the last day.',
    '# TYPE folkmoot_mails gauge',
    ...lanes.flatMap((figures) =>
      STATES.map((state) => `folkmoot_mails{lane="${figures.lane}",state="${state}"} ${figures[state]}`),
    ),
    '# HELP folkmoot_mails_oldest_seconds How long the oldest letter that is due has waited.',
    '# TYPE folkmoot_mails_oldest_seconds gauge',
    ...lanes.map(
      ({ lane, oldestSeconds }) => `folkmoot_mails_oldest_seconds{lane="${lane}"} ${oldestSeconds ?? 0}`,
    ),
  ]
}
