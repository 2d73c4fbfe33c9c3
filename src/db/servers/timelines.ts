import type { Host } from './hosts'

/**
 * The latest timeline that this process has seen of each database. Each promotion begins the next one, so whoever takes writes on
 * an earlier one is a primary of old, and what is written there is lost to everybody else. It is never forgotten: the promoted
 * server may be away for a moment.
 */
const latest = new Map<string, number>()

export function rememberTimelines(hosts: Host[]) {
  for (const { system, timeline } of hosts)
    if (system !== undefined && timeline !== undefined && timeline > latestOf(system))
      latest.set(system, timeline)
}

const latestOf = (system = '') => latest.get(system) ?? 0

/** The timeline that a host has missed, if it has missed one. */
export function missedBy({ system, timeline }: Host): number | undefined {
  return timeline !== undefined && timeline < latestOf(system) ? latestOf(system) : undefined
}
