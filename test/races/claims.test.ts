import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex, readableCode } from '@/core/codes'
import { newId } from '@/core/ids'
import { countDeadlocks } from '../support/deadlocks'
import { ownDatabase } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { askAgain, countStatuses, startThree, type Three } from '../support/three'

/** A group of one owner, with a badge of it and a link to that. */
async function seedBadge(sql: postgres.Sql, ownerId: string, maxUses: number | null) {
  const [groupId, badgeId, linkId] = [newId(), newId(), newId()]
  const code = readableCode(12).toLowerCase()
  await sql`insert into groups (id, urlname, name) values (${groupId}, ${groupId}, 'Racers')`
  await sql`insert into group_members (id, group_id, user_id, role) values (${newId()}, ${groupId}, ${ownerId}, 'owner')`
  await sql`insert into badges (id, group_id, name, slug, icon, color, points)
    values (${badgeId}, ${groupId}, 'Racer', ${badgeId}, '🏁', '#000000', 5)`
  await sql`insert into claim_links (id, badge_id, code, max_uses) values (${linkId}, ${badgeId}, ${code}, ${maxUses})`
  return { groupId, badgeId, linkId, code }
}

async function seedInvite(sql: postgres.Sql, autoApprove: boolean) {
  const [groupId, inviteId, token] = [newId(), newId(), randomHex(16)]
  await sql`insert into groups (id, urlname, name) values (${groupId}, ${groupId}, 'Wanted')`
  await sql`insert into group_claim_invites (id, group_id, hash, auto_approve)
    values (${inviteId}, ${groupId}, ${Buffer.from(hashSecret(token))}, ${autoApprove})`
  return { groupId, inviteId, path: `/v1/groups/claim/${token}` }
}

async function seedRequest(sql: postgres.Sql, groupId: string, userId: string) {
  const requestId = newId()
  await sql`insert into group_claims (id, group_id, user_id) values (${requestId}, ${groupId}, ${userId})`
  return requestId
}

const entitle = (sql: postgres.Sql, userId: string) =>
  sql`insert into entitlements (id, user_id, entitlement) values (${newId()}, ${userId}, 'group.create')`

/** What the link counts, how many awards there are, and how many people hold one. */
async function counted(sql: postgres.Sql, linkId: string) {
  const [row] = await sql`
    select current_uses as uses, count(a.id)::int as awards, count(distinct a.user_id)::int as holders
    from claim_links l left join badge_awards a using (badge_id) where l.id = ${linkId} group by l.id`
  return [row?.uses, row?.awards, row?.holders]
}

const ownersOf = async (sql: postgres.Sql, groupId: string) =>
  (await sql`select user_id from group_members where group_id = ${groupId} and role = 'owner'`).map(
    ({ user_id }) => String(user_id),
  )

describe('claims over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  let administrators: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 10, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 60, ['user', 'manage:groups', 'manage:badges'])
    administrators = await seedPeople(databaseUrl, 2, ['admin'])
    await sql`update users set role = 'admin' where id = any(${administrators.map(({ id }) => id)})`
    three = await startThree(databaseUrl, { GROUP_CREATION: 'entitled' })
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const ask: Three['ask'] = (...request) => askAgain(three, ...request)

  const [first, second] = [() => people[0] as Seeded, () => people[1] as Seeded]

  test('60 people at a link with 10 uses: ten get the badge', async () => {
    const { linkId, badgeId, code } = await seedBadge(sql, first().id, 10)
    const statuses = await Promise.all(
      people.map(({ token }, i) => ask(i, 'POST', `/v1/claim/${code}`, token)),
    )
    expect(countStatuses(statuses)).toEqual({ 201: 10, 410: 50 })
    expect(await counted(sql, linkId)).toEqual([10, 10, 10])
    const told = await sql`select type from outbox where payload->>'badgeId' = ${badgeId}`
    expect(told.filter(({ type }) => type === 'badge.claimed')).toHaveLength(10)
    expect(told.filter(({ type }) => type === 'badge.awarded')).toHaveLength(10)
  })

  test('one person 30 times at once: they get it once, for one use', async () => {
    for (const maxUses of [null, 1, 5]) {
      const { linkId, code } = await seedBadge(sql, first().id, maxUses)
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, i) => ask(i, 'POST', `/v1/claim/${code}`, first().token)),
      )
      expect(countStatuses(statuses)).toEqual({ 201: 1, 409: 29 })
      expect(await counted(sql, linkId)).toEqual([1, 1, 1])
    }
  })

  test('a claim and an award of the same badge at once: one of them gives it, and a claim that lost costs nothing', async () => {
    const { groupId, badgeId, linkId, code } = await seedBadge(sql, first().id, null)
    const tries = await Promise.all(
      people.slice(0, 40).map(({ id, token }, i) => {
        const claim = () => ask(i, 'POST', `/v1/claim/${code}`, token)
        const give = () =>
          ask(i + 1, 'POST', `/v1/manage/groups/${groupId}/badges/${badgeId}/award/${id}`, first().token)
        return i % 2
          ? Promise.all([claim(), give()])
          : Promise.all([give(), claim()]).then((both) => both.reverse())
      }),
    )
    expect(countStatuses(tries.flat())).toEqual({ 201: 40, 409: 40 })
    expect(tries.every(([claimed, given]) => claimed !== given)).toBe(true)
    const claims = tries.filter(([claimed]) => claimed === 201).length
    expect(await counted(sql, linkId)).toEqual([claims, 40, 40])
  })

  test('concurrent claims, point changes and badge deletion: no error, no deadlock', async () => {
    const { badgeId, groupId, code } = await seedBadge(sql, first().id, null)
    const before = await countDeadlocks(sql)
    const change = async () => {
      for (const points of [7, 3, 9]) await sql`update badges set points = ${points} where id = ${badgeId}`
      const [{ wrong }] =
        (await sql`select count(*)::int as wrong from group_scores s where group_id = ${groupId}
        and xp <> (select sum(points) from badge_awards a where a.group_id = s.group_id and a.user_id = s.user_id)`) as [
          { wrong: number },
        ]
      await sql`delete from badges where id = ${badgeId}`
      return wrong
    }
    const [wrong, ...statuses] = await Promise.all([
      change(),
      ...people.map(({ token }, i) => ask(i, 'POST', `/v1/claim/${code}`, token)),
    ])
    expect([...new Set(statuses)].filter((status) => ![201, 404].includes(status))).toEqual([])
    expect([wrong, (await countDeadlocks(sql)) - before]).toEqual([0, 0])
    expect(await sql`select 1 from group_scores where group_id = ${groupId}`).toHaveLength(0)
  })

  test('30 people use an invitation at once: one of them becomes an owner, or asks', async () => {
    for (const autoApprove of [true, false]) {
      const { groupId, inviteId, path } = await seedInvite(sql, autoApprove)
      const statuses = await Promise.all(
        people.slice(0, 30).map(({ token }, i) => ask(i, 'POST', path, token)),
      )
      expect(countStatuses(statuses)).toEqual({ 200: 1, 410: 29 })
      const winner = people[statuses.indexOf(200)]?.id as string
      const asked = (await sql`select user_id from group_claims where group_id = ${groupId}`).map(
        ({ user_id }) => String(user_id),
      )
      const [invite] = await sql`select used_by from group_claim_invites where id = ${inviteId}`
      expect([await ownersOf(sql, groupId), asked, String(invite?.used_by)]).toEqual(
        autoApprove ? [[winner], [], winner] : [[], [winner], winner],
      )
    }
  })

  test('one person uses two invitations of a group at once: one stays unused', async () => {
    for (const [round, { id, token }] of people.slice(0, 8).entries()) {
      const { groupId, path } = await seedInvite(sql, true)
      const other = randomHex(16)
      await sql`insert into group_claim_invites (id, group_id, hash, auto_approve)
        values (${newId()}, ${groupId}, ${Buffer.from(hashSecret(other))}, true)`
      const statuses = await Promise.all([
        ask(round, 'POST', path, token),
        ask(round + 1, 'POST', `/v1/groups/claim/${other}`, token),
      ])
      expect([statuses, await ownersOf(sql, groupId)]).toEqual([[200, 200], [id]])
      expect(
        await sql`select 1 from group_claim_invites where group_id = ${groupId} and used_at is null`,
      ).toHaveLength(1)
    }
  })

  test('one person asks for a group 20 times at once: one request', async () => {
    const { groupId } = await seedInvite(sql, false)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ask(i, 'POST', `/v1/groups/${groupId}/claim`, second().token, {})),
    )
    expect(countStatuses(statuses)).toEqual({ 201: 1, 409: 19 })
    expect(await sql`select 1 from group_claims where group_id = ${groupId}`).toHaveLength(1)
  })

  test('one administrator approves what the other rejects: one of them decides', async () => {
    const { groupId } = await seedInvite(sql, false)
    for (const [round, { id }] of people.slice(0, 12).entries()) {
      const requestId = await seedRequest(sql, groupId, id)
      const verbs = round % 2 ? ['approve', 'reject'] : ['reject', 'approve']
      const statuses = await Promise.all(
        verbs.map((verb, i) =>
          ask(
            i + round,
            'POST',
            `/v1/admin/group-claims/${requestId}/${verb}`,
            administrators[i]?.token as string,
            {},
          ),
        ),
      )
      expect(countStatuses(statuses)).toEqual({ 200: 1, 409: 1 })
      const verb = verbs[statuses.indexOf(200)] as string
      const [request] = await sql`select status, decided_by from group_claims where id = ${requestId}`
      expect([request?.status, request?.decided_by]).toEqual([
        verb === 'approve' ? 'approved' : 'rejected',
        administrators[statuses.indexOf(200)]?.id,
      ])
      expect((await ownersOf(sql, groupId)).includes(id)).toBe(verb === 'approve')
      const entries = await sql`select action from audit_log where target_id = ${requestId}`
      expect(entries.map(({ action }) => action)).toEqual([`group_claim.${verb}`])
    }
  })

  test('a group that is deleted while it is claimed is no reason for a fault', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { groupId, path } = await seedInvite(sql, true)
      const requestId = await seedRequest(sql, groupId, second().id)
      const admin = (administrators[0] as Seeded).token
      const statuses = await Promise.all([
        ask(round, 'POST', path, first().token),
        ask(round + 1, 'DELETE', `/v1/manage/groups/${groupId}?confirm=${groupId}`, admin),
        ask(round + 2, 'POST', `/v1/admin/group-claims/${requestId}/approve`, admin),
      ])
      expect(statuses[1]).toBe(204)
      expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([])
    }
  })

  test('many groups founded at once with one entitlement: one group', async () => {
    for (const [round, { id, token }] of people.slice(0, 8).entries()) {
      await entitle(sql, id)
      const names = Array.from({ length: 6 }, () => `race-${randomHex(8)}`)
      const statuses = await Promise.all(
        names.map((urlname, i) =>
          ask(i + round, 'POST', '/v1/manage/groups', token, { urlname, name: 'Race' }),
        ),
      )
      expect(countStatuses(statuses)).toEqual({ 201: 1, 403: 5 })
      expect(await sql`select 1 from groups where urlname = any(${names})`).toHaveLength(1)
      expect(await sql`select 1 from entitlements where user_id = ${id}`).toHaveLength(0)
    }
  })
})

describe('controls: without the guards', () => {
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 20, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 20)
    await sql`alter table claim_links drop constraint claim_links_uses`
    await sql`alter table badge_awards drop constraint badge_awards_once`
    await sql`drop index group_claims_pending`
  })
  afterAll(() => sql.end())

  /** Everyone has looked before anyone acts: what may happen at any time happens every time. */
  async function lookThenAct<T>(
    look: (tx: postgres.TransactionSql) => Promise<T | undefined>,
    act: (tx: postgres.TransactionSql, seen: T, person: Seeded) => Promise<unknown>,
  ) {
    const everyoneHasLooked = Promise.withResolvers<void>()
    let looked = 0
    await Promise.all(
      people.map((person) =>
        sql.begin(async (tx) => {
          const seen = await look(tx)
          looked += 1
          if (looked === people.length) everyoneHasLooked.resolve()
          await everyoneHasLooked.promise
          if (seen !== undefined) await act(tx, seen, person)
        }),
      ),
    )
  }

  const give = (tx: postgres.TransactionSql, badgeId: string, userId: string) =>
    tx`insert into badge_awards (id, badge_id, user_id, source) values (${newId()}, ${badgeId}, ${userId}, 'claim')`

  test('a link with 10 uses serves 20 people, and counts one', async () => {
    const { badgeId, linkId } = await seedBadge(sql, people[0]?.id as string, 10)
    await lookThenAct(
      async (tx) => {
        const [row] =
          await tx`select current_uses as uses, max_uses as most from claim_links where id = ${linkId}`
        return row?.uses < row?.most ? Number(row?.uses) : undefined
      },
      async (tx, uses, { id }) => {
        await give(tx, badgeId, id)
        await tx`update claim_links set current_uses = ${uses + 1} where id = ${linkId}`
      },
    )
    expect(await counted(sql, linkId)).toEqual([1, 20, 20])
  })

  test('one person gets a badge 20 times, and its points as often', async () => {
    const id = people[0]?.id as string
    const { badgeId, groupId, linkId } = await seedBadge(sql, id, null)
    await lookThenAct(
      async (tx) =>
        (await tx`select 1 from badge_awards where badge_id = ${badgeId} and user_id = ${id}`).length === 0 ||
        undefined,
      async (tx) => {
        await give(tx, badgeId, id)
        await tx`update claim_links set current_uses = current_uses + 1 where id = ${linkId}`
      },
    )
    expect(await counted(sql, linkId)).toEqual([20, 20, 1])
    expect(await sql`select xp from group_scores where group_id = ${groupId}`).toEqual([{ xp: 100 }] as never)
  })

  test('an invitation makes 20 owners', async () => {
    const { groupId, inviteId } = await seedInvite(sql, true)
    await lookThenAct(
      async (tx) =>
        (await tx`select 1 from group_claim_invites where id = ${inviteId} and used_at is null`)[0],
      async (tx, _, { id }) => {
        await tx`insert into group_members (id, group_id, user_id, role) values (${newId()}, ${groupId}, ${id}, 'owner')`
        await tx`update group_claim_invites set used_at = now(), used_by = ${id} where id = ${inviteId}`
      },
    )
    expect(await ownersOf(sql, groupId)).toHaveLength(20)
  })

  test('one person waits with 20 requests, and one request gets 20 answers', async () => {
    const id = people[0]?.id as string
    const { groupId } = await seedInvite(sql, false)
    await lookThenAct(
      async (tx) =>
        (await tx`select 1 from group_claims where group_id = ${groupId} and status = 'pending'`).length ===
          0 || undefined,
      (tx) => tx`insert into group_claims (id, group_id, user_id) values (${newId()}, ${groupId}, ${id})`,
    )
    expect(await sql`select 1 from group_claims where group_id = ${groupId}`).toHaveLength(20)
    const requestId = await seedRequest(sql, groupId, id)
    let answers = 0
    await lookThenAct(
      async (tx) => (await tx`select 1 from group_claims where id = ${requestId} and status = 'pending'`)[0],
      async (tx) => {
        const answered =
          await tx`update group_claims set status = 'approved', decided_at = now() where id = ${requestId} returning id`
        answers += answered.length
      },
    )
    expect(answers).toBe(20)
  })

  test('one entitlement founds 20 groups', async () => {
    const id = people[0]?.id as string
    await entitle(sql, id)
    await lookThenAct(
      async (tx) => (await tx`select 1 from entitlements where user_id = ${id}`)[0],
      async (tx) => {
        await tx`delete from entitlements where user_id = ${id}`
        await tx`insert into groups (id, urlname, name) values (${newId()}, ${newId()}, 'Unearned')`
      },
    )
    expect(await sql`select 1 from groups where name = 'Unearned'`).toHaveLength(20)
  })
})
