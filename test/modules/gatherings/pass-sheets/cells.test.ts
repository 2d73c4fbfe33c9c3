import { expect, test } from 'bun:test'
import { cellsOfGuests } from '@/modules/gatherings/pass-sheets/jobs'
import { makeUser } from '../../../support/make'
import { makeRsvp, makeStaffedEvent } from '../checkins/fixtures'

test('a username stands for a name that cannot be drawn, unless its profile is private', async () => {
  const { event } = await makeStaffedEvent()
  const [open, hidden] = [await makeUser({}), await makeUser({ profileVisibility: 'private' })]
  for (const { id } of [open, hidden]) await makeRsvp(event.id, id)
  const cells = (await Array.fromAsync(cellsOfGuests(event.id))).flat()
  expect(cells.map(({ fallback }) => fallback)).toEqual([open.username, null])
})
