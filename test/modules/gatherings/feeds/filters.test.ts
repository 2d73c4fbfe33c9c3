import { expect, test } from 'bun:test'
import { readFeed } from '../../../support/feeds'
import { makeEvent, makeGroup } from '../../../support/make'
import { statementsOf } from '../../../support/statements'

test('invented filters push out each other, and no feed without any', async () => {
  const group = await makeGroup()
  await makeEvent(group.id)
  const path = `/feeds/groups/${group.urlname}.rss`
  await readFeed(path)
  for (let n = 0; n < 2100; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => readFeed(`/feeds/events.rss?search=nobody-${n + i}`)),
    )
  expect(await statementsOf(() => readFeed(path), 1)).toBe(0)
  expect(await statementsOf(() => readFeed('/feeds/events.rss?search=nobody-0'), 1)).toBeGreaterThan(0)
})
