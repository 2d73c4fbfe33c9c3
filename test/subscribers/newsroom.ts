import { patch, post } from '../support/api'
import { makeEvent, makeStaffedGroup } from '../support/make'
import { inHours } from '../support/time'

/** Breaks out of CDATA as `feed` alone would write it. */
export const HOSTILE_TITLE = `]]>A]]><script xmlns="http://www.w3.org/1999/xhtml">hostile()</script> & "R&amp;D"`

/** A group with three events, one of them cancelled and one with a hostile title, and what its staff may do. */
export async function openNewsroom() {
  const { group, manager } = await makeStaffedGroup(['manage:events'], { name: 'Rust & Lisbon' })
  const photoUrl = 'https://moot.example/uploads/a.jpg?w=1&h=2'
  const first = await makeEvent(group.id, {
    title: 'First',
    startTime: inHours(30),
    tags: ['rust', 'a&b'],
    photoUrl,
  })
  const second = await makeEvent(group.id, { title: HOSTILE_TITLE, description: HOSTILE_TITLE })
  const third = await makeEvent(group.id, { title: 'Third', status: 'cancelled', cancelReason: 'Rain' })
  const manage = `/v1/manage/groups/${group.id}/events`
  const events = [first, second, third]
  return {
    path: (format: string) => `/feeds/groups/${group.urlname}.${format}`,
    ids: events.map(({ id }) => `urn:uuid:${id}`).sort(),
    first,
    retitle: (title: string) => patch(`${manage}/${first.id}`, { token: manager.token, json: { title } }),
    cancel: () => post(`${manage}/${first.id}/cancel`, { token: manager.token, json: {} }),
  }
}
