import type { Examination } from '@/db/examine'
import { counted } from '../units'
import { type Finding, ok, warning, wrong } from './finding'
import { LOOK_FIRST } from './hosts'

/**
 * Synchronous replication: with too few standbys nothing can be written. For one of several hosts: whether it has standbys, and
 * whether commits wait for them. Never advises to drop a standby that may have been promoted.
 */
export function aboutStandbys(
  { host, user, standbys: { needed, connected, confirming, waiting } }: Examination,
  isOneOfSeveral: boolean,
  hosts: Finding['state'],
): Finding[] {
  const there = needed === 0 ? connected : (confirming ?? connected)
  const are = `${there} ${there === 1 ? 'is' : 'are'} connected`
  if (needed === 0) {
    if (!isOneOfSeveral) return []
    const found = `Commits wait for no standby, and ${are}: what is acknowledged may be lost with ${host}.`
    const todo = connected === 0 ? NONE_FOLLOWS : waitHere(host)
    return [warning('standbys', found, hosts === 'ok' ? todo : HOSTS_FIRST)]
  }
  const found = `Commits wait for ${counted(needed, 'standby', 'standbys')} (synchronous_standby_names), and ${are}`
  if (there < needed || waiting > 0) {
    const isSilent = there >= needed
    const firstStep =
      hosts === 'warning'
        ? HOSTS_FIRST
        : `${isSilent ? 'Restart the standby if it stays silent' : 'Start the standby'}, and look into its log.`
    return [
      wrong(
        'standbys',
        `${found}${waiting > 0 ? `; ${counted(waiting, 'commit')} of ours ${waiting === 1 ? 'waits' : 'wait'}` : ''}: writes are answered 503.`,
        hosts === 'wrong'
          ? HOSTS_FIRST
          : `${firstStep} ${ONLY_IF_LOST} on ${host}: ${psql('alter system reset synchronous_standby_names', RELOAD)}`,
      ),
    ]
  }
  return [
    ok(
      'standbys',
      confirming === null
        ? `${found}; whether it confirms is seen after: ${psql(`grant pg_read_all_stats to ${user}`)}`
        : `${found}.`,
    ),
  ]
}

const psql = (...statements: string[]) =>
  ['runuser -u postgres -- psql', ...statements.map((statement) => `-c "${statement}"`)].join(' ')

const RELOAD = 'select pg_reload_conf()'

const waitHere = (host: string) =>
  `Let commits wait for it: step 3 of "Standby and promotion" in docs/operations/growing.md, on ${host}.`

const NONE_FOLLOWS =
  'Look into the log of the standby; where it cannot follow any more, copy it again (step 2 of "Standby and promotion" in docs/operations/growing.md).'

const HOSTS_FIRST = 'Do what is said of "hosts" first.'

const ONLY_IF_LOST = `Only if no other host was promoted after this one (${LOOK_FIRST}), and the standby is lost for good or yet to be made, let commits go on without it,`
