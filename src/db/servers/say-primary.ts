import { log } from '@/core/log'

let said: string | undefined

/** The host that writes go to, as far as it had to be looked for. */
export const primaryHost = () => said

export function sayPrimary(host: string, others: string[]) {
  if (host !== said) log.info('database: writes go to this host', { host })
  said = host
  if (others.length > 0)
    log.error(
      'database: another host takes writes, too: the one that was promoted last is used, stop the other',
      {
        host,
        others: others.join(', '),
      },
    )
}
