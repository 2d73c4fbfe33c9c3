import { beforeAll, describe, expect, test } from 'bun:test'
import { randomHex } from '@/core/codes'
import { apiUrl, get, patch, post } from '../support/api'
import { makeAdmin, makeEvent, makeStaffedGroup } from '../support/make'
import { demandPackage, hasProgram } from '../support/packages'
import { khal, vdirsyncer } from './calendar-apps'

beforeAll(() => {
  demandPackage('khal', hasProgram('khal'))
  demandPackage('vdirsyncer', hasProgram('vdirsyncer'))
})

/** The first lies in summer time, the second after it; titles hold what calendars have to escape. */
async function stage() {
  const { group, manager } = await makeStaffedGroup(['manage:events'])
  const timezone = 'America/New_York'
  const mark = randomHex(4)
  const first = await makeEvent(group.id, {
    title: `Ümlaut, ${mark}; a \\ and 🦀`,
    description: 'x'.repeat(500),
    timezone,
    startTime: new Date('2031-10-20T22:00:00Z'),
  })
  const second = await makeEvent(group.id, {
    title: `Second ${mark}`,
    timezone,
    startTime: new Date('2031-11-05T23:00:00Z'),
  })
  const manage = `/v1/manage/groups/${group.id}/events`
  return {
    group,
    path: `/feeds/groups/${group.urlname}.ics`,
    titles: [first.title, second.title] as const,
    change: (json: object) => patch(`${manage}/${first.id}`, { token: manager.token, json }),
    cancel: () => post(`${manage}/${first.id}/cancel`, { token: manager.token, json: { reason: 'Rain' } }),
    takeBack: () => patch(`${manage}/${first.id}`, { token: manager.token, json: { status: 'draft' } }),
  }
}

const agenda = (calendar: ReturnType<typeof khal>) => calendar.list('2031-10-15', 40)

describe('vdirsyncer and khal', () => {
  test('subscribe, see nothing new the second time, and follow every change', async () => {
    const { path, titles, change, cancel } = await stage()
    const [, second] = titles
    const sync = vdirsyncer(apiUrl() + path)
    const calendar = khal(sync.folder)
    await sync.discover()
    await sync.sync()
    expect(Object.keys(sync.files())).toHaveLength(2)
    expect(await agenda(calendar)).toEqual([
      `2031-10-20 23:00 – 2031-10-21 01:00 ${titles[0]}`,
      `2031-11-05 23:00 – 2031-11-06 01:00 ${second}`,
    ])

    const before = sync.files()
    await sync.sync()
    expect(sync.files()).toEqual(before)

    await change({ startTime: '2031-10-21T22:30:00Z', endTime: '2031-10-21T23:30:00Z', title: 'Moved' })
    await sync.sync()
    const after = sync.files()
    expect(Object.keys(after)).toHaveLength(2)
    // The other event is not so much as written again.
    expect(Object.values(after).filter((file) => Object.values(before).includes(file))).toHaveLength(1)
    expect(await agenda(calendar)).toEqual([
      '2031-10-21 23:30 – 2031-10-22 00:30 Moved',
      `2031-11-05 23:00 – 2031-11-06 01:00 ${second}`,
    ])

    await cancel()
    await sync.sync()
    expect(await agenda(calendar)).toEqual([
      '2031-10-21 23:30 – 2031-10-22 00:30 Cancelled: MovedCANCELLED ',
      `2031-11-05 23:00 – 2031-11-06 01:00 ${second}`,
    ])
  })

  test('lose what a feed no longer shows', async () => {
    const { path, titles, takeBack } = await stage()
    const sync = vdirsyncer(apiUrl() + path)
    await sync.discover()
    await sync.sync()
    expect((await takeBack()).status).toBe(200)
    await sync.sync()
    expect(await agenda(khal(sync.folder))).toEqual([`2031-11-05 23:00 – 2031-11-06 01:00 ${titles[1]}`])
  })
})

describe('khal by itself', () => {
  test('knows an event by its name when the calendar is read again', async () => {
    const { path, titles, change, group } = await stage()
    const calendar = khal()
    const take = async () => calendar.take((await get(path)).text)
    await take()
    await take()
    expect(await agenda(calendar)).toHaveLength(2)
    await change({ startTime: '2031-10-21T22:30:00Z', endTime: null, timezone: 'Asia/Tokyo' })
    await take()
    expect(await agenda(calendar)).toEqual([
      `2031-10-21 23:30 – 2031-10-22 02:30 ${titles[0]}`,
      `2031-11-05 23:00 – 2031-11-06 01:00 ${titles[1]}`,
    ])
    const { token } = await makeAdmin()
    await patch(`/v1/admin/groups/${group.id}`, { token, json: { isListed: false } })
    const gone = await get(`/feeds/events.ics?group=${group.urlname}`)
    expect(gone.text).not.toContain('BEGIN:VEVENT')
  })
})
