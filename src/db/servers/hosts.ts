import { type DatabaseAddress, databaseAddresses } from '@/config/database-address'
import { LOOK, openForLook } from './look'

const ANSWER_MS = 2500

/** A host of an address and its answer; without one it has only an error. */
export type Host = {
  address: DatabaseAddress
  /** `name:port`. */
  name: string
  takesWrites: boolean
  /** The system identifier, shared by all copies of a database. */
  system?: string
  timeline?: number
  /** The WAL position written or replayed, and the age of the last replayed transaction. */
  position?: bigint
  replayedSecondsAgo?: number | null
  error?: unknown
}

/** A standby is on the timeline that it has replayed. */
const POSITION = `
  select system_identifier::text as system,
    case when pg_is_in_recovery()
      then (select greatest(timeline_id, min_recovery_end_timeline) from pg_control_checkpoint(), pg_control_recovery())
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
    end as timeline,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::text as position,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::int as "replayedSecondsAgo"
  from pg_control_system()`

/** Queries all hosts of an address independently, so that a silent one delays no other. */
export const queryHosts = (url: string): Promise<Host>[] => databaseAddresses(url).map(ask)

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
    const [stand] = await client.unsafe(POSITION)
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
