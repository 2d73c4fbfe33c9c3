import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { databaseError } from '@/db/conflicts'
import { makeBadge, makeEvent, makeGroup, makeUser } from '../support/make'

/** The rule by which the database itself refuses a statement. */
async function ruleAgainst(statement: SQL): Promise<string> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(statement)
      tx.rollback()
    })
  } catch (error) {
    const found = databaseError(error)
    return found?.constraint_name ?? found?.code ?? 'nothing'
  }
  return 'nothing'
}

test('the database enforces every invariant', async () => {
  const [person, other] = [await makeUser(), await makeUser()]
  const group = await makeGroup({}, person.id)
  const event = await makeEvent(group.id)
  const badge = await makeBadge()
  const hour = sql`interval '1 hour'`
  const written: Record<string, SQL> = {
    checkin_codes_uses: sql`insert into checkin_codes (id, event_id, code, max_uses, current_uses)
      values (${newId()}, ${event.id}, ${newId()}, 1, 2)`,
    claim_links_uses: sql`insert into claim_links (id, badge_id, code, max_uses, current_uses)
      values (${newId()}, ${badge.id}, ${newId()}, 1, 2)`,
    events_end_after_start: sql`update events set end_time = start_time - ${hour}, over_at = start_time - ${hour}
      where id = ${event.id}`,
    events_over: sql`update events set over_at = over_at + ${hour} where id = ${event.id}`,
    events_capacity: sql`update events set max_attendees = 0 where id = ${event.id}`,
    events_status: sql`update events set status = 'held' where id = ${event.id}`,
    follows_others: sql`insert into follows (follower_id, followee_id) values (${person.id}, ${person.id})`,
    rsvps_waiting: sql`insert into rsvps (id, event_id, user_id, status) values (${newId()}, ${event.id}, ${other.id}, 'waitlisted')`,
    oauth_clients_secret: sql`insert into oauth_clients (client_id, name, redirect_uris, auth_method)
      values (${newId()}, 'x', '{https://x.example}', 'client_secret_basic')`,
    oauth_clients_redirects: sql`insert into oauth_clients (client_id, name, redirect_uris, auth_method)
      values (${newId()}, 'x', '{}', 'none')`,
    group_claims_decided: sql`insert into group_claims (id, group_id, user_id, status)
      values (${newId()}, ${group.id}, ${other.id}, 'approved')`,
    badges_points: sql`update badges set points = 1001 where id = ${badge.id}`,
    users_role: sql`update users set role = 'king' where id = ${person.id}`,
    users_visibility: sql`update users set profile_visibility = 'maybe' where id = ${person.id}`,
    users_counts: sql`update users set follower_count = -1 where id = ${person.id}`,
    groups_favorites: sql`update groups set favorites_count = -1 where id = ${group.id}`,
    group_members_once: sql`insert into group_members (id, group_id, user_id, role)
      values (${newId()}, ${group.id}, ${person.id}, 'manager')`,
    group_members_last_owner: sql`delete from group_members where group_id = ${group.id}`,
    users_username_key: sql`update users set username = upper(${other.username}) where id = ${person.id}`,
    users_email_key: sql`update users set email = upper(${other.email}) where id = ${person.id}`,
    badges_slug_key: sql`insert into badges (id, name, slug, icon, color) values (${newId()}, 'x', ${badge.slug}, 'x', '#000000')`,
  }
  for (const [rule, statement] of Object.entries(written))
    expect([rule, await ruleAgainst(statement)]).toEqual([rule, rule])
  const webhook = newId()
  const message = sql`with hook as (
      insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values (${webhook}, ${person.id}, 'https://x.example', '{*}', '{user}', '\\x00') returning id)
    insert into webhook_messages (id, webhook_id, fact_id, event_type, body, status)
    select ${newId()}, id, ${newId()}, 'x', '{}', 'pending' from hook`
  expect(await ruleAgainst(message)).toBe('webhook_messages_next')
})
