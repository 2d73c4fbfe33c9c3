import type postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { checkedSecret } from '@/core/codes'

/** What people of an earlier release had; the token still opens the door afterwards. */
export const BEFORE = {
  userId: '01900000-0000-7000-8000-000000000001',
  username: 'ada-before',
  token: checkedSecret('fm_pat_'),
  webhookId: '01900000-0000-7000-8000-000000000005',
}
const OTHER_ID = '01900000-0000-7000-8000-000000000002'
const GROUP_ID = '01900000-0000-7000-8000-000000000003'
const EVENT_ID = '01900000-0000-7000-8000-000000000004'
const BADGE_ID = '01900000-0000-7000-8000-000000000006'

/** A row or two for each table that the schema has by now, with the columns that it had at first. */
export async function fillAsBefore(sql: postgres.Sql): Promise<void> {
  const has = async (table: string) => (await sql`select to_regclass(${table}) as id`)[0]?.id !== null
  await sql`insert into users (id, name, username) values
    (${BEFORE.userId}, 'Ada', ${BEFORE.username}), (${OTHER_ID}, 'Bo', 'bo-before')`
  await sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes) values
    (gen_random_uuid(), ${BEFORE.userId}, 'before', ${Buffer.from(hashSecret(BEFORE.token))}, 'fm_pat_before', '{user,developer}')`
  await sql`insert into outbox (id, type, payload) values (gen_random_uuid(), 'user.followed', '{}')`
  if (await has('follows'))
    await sql`insert into follows (follower_id, followee_id) values (${BEFORE.userId}, ${OTHER_ID})`
  if (await has('groups')) {
    await sql`insert into groups (id, urlname, name) values (${GROUP_ID}, 'before', 'Before')`
    await sql`insert into group_members (id, group_id, user_id, role) values (gen_random_uuid(), ${GROUP_ID}, ${OTHER_ID}, 'owner')`
    await sql`insert into events (id, group_id, title, start_time, end_time, over_at, timezone, status) values
      (${EVENT_ID}, ${GROUP_ID}, 'Before', now() + interval '1 day', now() + interval '2 days', now() + interval '2 days', 'UTC', 'published')`
    await sql`insert into rsvps (id, event_id, user_id, status) values (gen_random_uuid(), ${EVENT_ID}, ${BEFORE.userId}, 'confirmed')`
  }
  if (await has('badges')) {
    await sql`insert into badges (id, group_id, name, slug, icon, color) values (${BADGE_ID}, ${GROUP_ID}, 'Before', 'before', 'star', '#112233')`
    await sql`insert into badge_awards (id, badge_id, user_id, source) values (gen_random_uuid(), ${BADGE_ID}, ${BEFORE.userId}, 'group')`
  }
  if (await has('webhooks'))
    await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret) values
      (${BEFORE.webhookId}, ${BEFORE.userId}, 'https://receiver.example/', '{token.*}', '{user}', '\\x00')`
  if (await has('webhook_unheard'))
    await sql`insert into webhook_unheard (webhook_id, fact_id) select ${BEFORE.webhookId}, id from outbox`
}
