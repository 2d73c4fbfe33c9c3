import { type SQLWrapper, sql } from 'drizzle-orm'
import { onceBuilt, onceWritten, type Tx } from '@/db/client'

export type Tap = { id: string; passId: string; ownerId: string; visitor: string }

/** Array literals per column: one statement text for any number of taps. */
const columns = (taps: Tap[]) => ({
  ids: array(taps.map(({ id }) => id)),
  passIds: array(taps.map(({ passId }) => passId)),
  ownerIds: array(taps.map(({ ownerId }) => ownerId)),
  visitors: array(taps.map(({ visitor }) => visitor)),
})

/** Ids and hashes need no escaping, which the driver would check for each. */
const array = (words: string[]) => `{${words.join()}}`

type Columns = ReturnType<typeof columns>

/**
 * Whether each pass is still active and still that owner's. Lateral lookups, because the planner might scan all passes for a join.
 * Locks pass and owner before any write, and skips locked rows: those are being rotated or deleted, and a crowd would wait for
 * them.
 */
const requested = (column: (name: keyof Columns) => SQLWrapper) =>
  sql`requested as materialized (
      select requested.*, pass.id is not null and owner.id is not null as is_valid
      from unnest(${column('ids')}::uuid[], ${column('passIds')}::text[], ${column('ownerIds')}::uuid[], ${column('visitors')}::text[])
        as requested (id, pass_id, owner_id, visitor)
      left join lateral (
        select passes.id from passes
        where passes.id = requested.pass_id and passes.owner_id = requested.owner_id and passes.is_active
        limit 1 for key share skip locked
      ) pass on true
      left join lateral (
        select users.id from users where users.id = requested.owner_id limit 1 for key share skip locked
      ) owner on true
    )`

/**
 * Inserts and counts anonymous visitors. Returns the passes that now exceed `max`, and the taps whose pass is no longer active or
 * the owner's. Skips recorded visitors. Locks rows in id order, to avoid deadlocks between processes.
 */
export const insertStrangers = (taps: Tap[], at: Date, max: number) =>
  strangersInserted({ ...columns(taps), at: at.toISOString(), max })

const strangersInserted = onceWritten<
  Columns & { at: string; max: number },
  { passId: string; ownerId: string | null }
>(
  (value) => sql`
    with ${requested(value)}, made as (
      insert into connections (id, owner_id, stranger_hash, pass_id, created_at)
      select id, owner_id, decode(visitor, 'hex'), pass_id, ${value('at')}::timestamptz from requested
      where is_valid order by visitor, owner_id
      on conflict (stranger_hash, owner_id) where stranger_hash is not null do nothing
      returning pass_id
    ), counted as (
      insert into pass_strangers as kept (pass_id, kept)
      select pass_id, count(*) from made group by pass_id order by pass_id
      on conflict (pass_id) do update set kept = kept.kept + excluded.kept
      returning pass_id, kept
    )
    select pass_id as "passId", null as "ownerId" from counted where kept > ${value('max')}::int
    union all select pass_id, owner_id from requested where not is_valid`,
)

/** Deletes the oldest records beyond the limit; skips locked rows. */
export const deleteOldestStrangers = (tx: Tx, passId: string, max: number) =>
  tx.execute(sql`
    with gone as (
      delete from connections where id = any(array(
        select id from connections where pass_id = ${passId} and stranger_hash is not null
        order by created_at, id
        limit greatest(0, (select kept from pass_strangers where pass_id = ${passId}) - ${max}::int)
        for update skip locked
      )) returning pass_id
    )
    update pass_strangers set kept = kept - (select count(*) from gone) where pass_id = ${passId}`)

export type Recorded = { id: string; ownerId: string; visitorId: string; isNew: boolean }

/**
 * Connects people. An existing connection stays, except that a side that removed it gets it back by tapping again. The taps must
 * not contain a pair twice.
 */
export const insertPeople = (tx: Tx, taps: Tap[], at: Date) => {
  const values = columns(taps)
  return tx.execute<Recorded>(sql`
    with ${requested((name) => sql.param(values[name]))}
    insert into connections as known (id, owner_id, visitor_id, pass_id, created_at)
    select id, owner_id, visitor::uuid, pass_id, ${at.toISOString()}::timestamptz from requested
    where is_valid order by least(owner_id, visitor::uuid), greatest(owner_id, visitor::uuid)
    on conflict (least(owner_id, visitor_id), greatest(owner_id, visitor_id)) where visitor_id is not null
    do update set
      owner_removed_at = case when known.owner_id = excluded.visitor_id then null else known.owner_removed_at end,
      visitor_removed_at = case when known.visitor_id = excluded.visitor_id then null else known.visitor_removed_at end
    where (known.owner_id = excluded.visitor_id and known.owner_removed_at is not null)
      or (known.visitor_id = excluded.visitor_id and known.visitor_removed_at is not null)
    returning id, owner_id as "ownerId", visitor_id as "visitorId", xmax = 0 as "isNew"`)
}

export const listPassesTapped = async (tx: Tx, hash: string): Promise<string[]> =>
  (
    await tx.execute<{ passId: string }>(sql`
      select distinct pass_id as "passId" from connections
      where stranger_hash = decode(${hash}, 'hex') and pass_id is not null`)
  ).map(({ passId }) => passId)

/** Deletes a visitor's anonymous records and returns the newest. */
export const takeStranger = (tx: Tx, hash: string, max: number) =>
  tx.execute<{ ownerId: string; passId: string | null; createdAt: Date }>(sql`
    with taken as (
      delete from connections where id = any(array(
        select id from connections where stranger_hash = decode(${hash}, 'hex') order by id for update
      )) returning owner_id, pass_id, created_at
    ), counted as (
      update pass_strangers set kept = kept - taken.count
      from (select pass_id, count(*) as count from taken where pass_id is not null group by pass_id order by pass_id) taken
      where pass_strangers.pass_id = taken.pass_id
    )
    select owner_id as "ownerId", pass_id as "passId", created_at as "createdAt" from taken
    order by created_at desc limit ${max}::int`)

/** Inserts connections for adopted taps; skips connected pairs. */
export const insertAdopted = (
  tx: Tx,
  visitorId: string,
  taps: { id: string; ownerId: string; passId: string | null; at: string }[],
) =>
  tx.execute<Recorded>(sql`
    insert into connections (id, owner_id, visitor_id, pass_id, created_at)
    select id, owner_id, ${visitorId}::uuid, pass_id, at::timestamptz from unnest(
      ${sql.param(taps.map(({ id }) => id))}::uuid[], ${sql.param(taps.map(({ ownerId }) => ownerId))}::uuid[],
      ${sql.param(taps.map(({ passId }) => passId))}::text[], ${sql.param(taps.map(({ at }) => at))}::text[]
    ) as taken (id, owner_id, pass_id, at)
    where owner_id <> ${visitorId}::uuid
    order by least(owner_id, ${visitorId}::uuid), greatest(owner_id, ${visitorId}::uuid)
    on conflict (least(owner_id, visitor_id), greatest(owner_id, visitor_id)) where visitor_id is not null do nothing
    returning id, owner_id as "ownerId", visitor_id as "visitorId", true as "isNew"`)

export type PairState = {
  /** From the visitor's side: false after they removed it. */
  connected: boolean
  follows: boolean
}

const stateOfPair = onceBuilt((db) =>
  db
    .select({
      connected: sql<boolean>`exists (
        select 1 from connections
        where visitor_id is not null
          and least(owner_id, visitor_id) = least(${sql.placeholder('ownerId')}::uuid, ${sql.placeholder('visitorId')}::uuid)
          and greatest(owner_id, visitor_id) = greatest(${sql.placeholder('ownerId')}::uuid, ${sql.placeholder('visitorId')}::uuid)
          and case when owner_id = ${sql.placeholder('visitorId')}::uuid then owner_removed_at else visitor_removed_at end is null)`,
      follows: sql<boolean>`exists (
        select 1 from follows
        where follower_id = ${sql.placeholder('visitorId')}::uuid and followee_id = ${sql.placeholder('ownerId')}::uuid)`,
    })
    .from(sql`(select 1) as one`)
    .prepare('state_of_pair'),
)

export async function findPairState(visitorId: string, ownerId: string): Promise<PairState> {
  const [state] = await stateOfPair().execute({ visitorId, ownerId })
  return state ?? { connected: false, follows: false }
}
