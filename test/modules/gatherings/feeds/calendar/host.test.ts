import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { keepCalendarHost } from '@/modules/gatherings/feeds/queries'
import { readFeed } from '../../../../support/feeds'
import { makeEvent, makeGroup } from '../../../../support/make'

test('entries keep their names when the server moves', async () => {
  const group = await makeGroup()
  const { id } = await makeEvent(group.id)
  const { text } = await readFeed(`/feeds/groups/${group.urlname}.ics`)
  expect(text).toContain(`UID:${id}@localhost\r\n`)
  expect(await keepCalendarHost(db, 'moved.example')).toBe('localhost')
  // Of two that start at once, one decides for both.
  await db.execute(sql`delete from calendar_host`)
  const both = await Promise.all(['a.example', 'b.example'].map((host) => keepCalendarHost(db, host)))
  expect(new Set(both).size).toBe(1)
  await db.execute(sql`update calendar_host set host = 'localhost'`)
})
