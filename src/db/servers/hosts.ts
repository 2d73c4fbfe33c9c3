import { type DatabaseAddress, databaseAddresses } from '@/config/database-address'
import { LOOK, openForLook } from './look'

const ANSWER_MS = 2500

/** One of the hosts that an address names, as it answered. Without an answer it has only an error. */
export type Host = {
  address: DatabaseAddress
  /** `name:port`, for people. */
  name: string
  takesWrites: boolean
  /** What all copies of one database share. */
  system?: string
  timeline?: number
  /** Up to where in the log it has written, or replayed; and how old what it replayed last is. */
  position?: bigint
  replayedSecondsAgo?: number | null
  error?: unknown
}

/** A standby is on the timeline that it has replayed. */
const STAND = `
  select system_identifier::text as system,
    case when pg_is_in_recovery()
      then (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery())
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
    end as timeline,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::text as position,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::int as "replayedSecondsAgo"
  from pg_control_system()`

/** Asks all hosts that an address names, each for itself; nobody waits for one that says nothing. */
export const askHosts = (url: string): Promise<Host>[] => databaseAddresses(url).map(ask)

async function ask(address: DatabaseAddress): Promise<Host> {
  const client = openForLook(address)
  const name = new URL(address.address).host
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error('No answer in time'), { code: 'CONNECT_TIMEOUT' })),
    ANSWER_MS,
  )
  const asked = async () => {
    const [look] = await client.unsafe(LOOK)
    const [stand] = await client.unsafe(STAND)
    return {
      address,
      name,
      takesWrites: !look?.isReadOnly,
      system: stand?.system,
      timeline: stand?.timeline,
      position: BigInt(stand?.position ?? 0),
      replayedSecondsAgo: stand?.replayedSecondsAgo,
    }
  }
  try {
    return await Promise.race([asked(), late])
  } catch (error) {
    return { address, name, takesWrites: false, error }
  } finally {
    clearTimeout(timer)
    void client.end({ timeout: 0 })
  }
}
