import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pictures } from '@/areas'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { respell } from '@/modules/people/uploads/uses/respell'
import { patch, post } from '../../../../support/api'
import { makeAdmin, makeMember } from '../../../../support/make'
import { makeUpload } from '../../../../support/make-upload'
import { makeOwner, newEvent, PLACES, settle, show, showing, shown } from './fixtures'

const SENTENCE =
  /must be the address of a picture that you uploaded in the category [a-z-]+( or media)?, and that has been checked/

/** Addresses of a file as they are stored, in whatever column. */
async function storedAddresses(key: string): Promise<string[]> {
  const found: string[] = []
  for (const { column } of pictures) {
    const name = sql.identifier(column.name)
    const rows = await db.execute<{ address: string }>(
      sql`select ${name} as address from ${column.table} where strpos(${name}, ${key}) > 0`,
    )
    found.push(...rows.map(({ address }) => address))
  }
  return found
}

/** As release 1.1 stored it, on a server that had another name. */
async function storeWithHost(key: string): Promise<void> {
  for (const { column } of pictures) {
    const name = sql.identifier(column.name)
    await db.execute(
      sql`update ${column.table} set ${name} = 'https://old.example' || ${name} where strpos(${name}, ${key}) > 0`,
    )
  }
}

const avatar = PLACES['an avatar'] as (typeof PLACES)[string]

describe.each(Object.entries(PLACES))('%s', (_, place) => {
  test('takes the address of a picture that its owner uploaded, in any size, and one of any other server', async () => {
    const { owner, upload } = await showing(place)
    for (const address of [upload.url, `${upload.url}?w=320`, 'https://elsewhere.example/a.png', null]) {
      expect((await show(owner, place, address)).status).toBe(200)
      expect(await shown(owner, place)).toBe(address)
    }
    const media = await makeUpload(owner.user.id, { category: 'media' })
    expect((await show(owner, place, media.url)).status).toBe(200)
  })

  test('is stored without our host, and shown at the address that the server has now', async () => {
    const { owner, upload } = await showing(place)
    const { pathname } = new URL(upload.url)
    expect(await storedAddresses(upload.key)).toEqual([pathname])
    await storeWithHost(upload.key)
    expect(await storedAddresses(upload.key)).toEqual([`https://old.example${pathname}`])
    await respell(pictures)
    await settle()
    expect(await storedAddresses(upload.key)).toEqual([pathname])
    expect(await shown(owner, place)).toBe(upload.url)
    const href = 'https://elsewhere.example/%C3%A4.png'
    expect((await show(owner, place, 'https://ELSEWHERE.example/x/../ä.png')).status).toBe(200)
    expect(await shown(owner, place)).toBe(href)
  })

  test('refuses other files of ours without revealing whether they exist', async () => {
    const owner = await makeOwner()
    const stranger = await makeOwner()
    const { category } = place
    const others = {
      'somebody else’s': await makeUpload(stranger.user.id, { category }),
      'one that is not there': {
        url: 'http://localhost/v1/uploads/file/avatar/AAAAAAAAAAAAAAAAAAAAAA/me.png',
      },
      'one for something else': await makeUpload(owner.user.id, { category: 'meetpass-image' }),
      'one that is no picture': await makeUpload(owner.user.id, {
        category: 'media',
        contentType: 'application/octet-stream',
      }),
      'one that was deleted': await makeUpload(owner.user.id, { category, state: 'removed' }),
      'one that was refused': await makeUpload(owner.user.id, {
        category,
        state: 'refused',
        reason: 'Damaged',
      }),
      'no key at all': { url: 'http://localhost/v1/uploads/file/' },
      'a key that cannot be': { url: 'http://localhost/v1/uploads/file/%00%ff' },
    }
    const answers = new Set<string>()
    for (const [what, { url }] of Object.entries(others)) {
      const { status, body } = await show(owner, place, url)
      expect([what, status, body.code]).toEqual([what, 400, 'validation_error'])
      expect(body.error).toStartWith(`${place.field} `)
      expect(body.error).toMatch(SENTENCE)
      answers.add(body.error)
    }
    expect(answers.size).toBe(1)
    expect(await shown(owner, place)).toBeNull()
  })
})

test('an address is kept in one spelling, however it was written', async () => {
  const owner = await makeOwner()
  const { key, url } = await makeUpload(owner.user.id)
  for (const [written, kept] of [
    [`HTTP://LOCALHOST/v1/uploads/file/${key}`, url],
    [`http://127.0.0.1/v1/uploads/file/${key}?w=64`, `${url}?w=64`],
    [`https://localhost/v1/uploads/file/${encodeURIComponent(key)}`, url],
    [`${url}?w=63&x=1#there`, url],
    [`http://localhost/v1/../v1/uploads/file/${key}`, url],
  ] as const) {
    expect((await show(owner, avatar, written)).body.data.avatarUrl).toBe(kept)
    await show(owner, avatar, null)
  }
})

test('an address elsewhere may look like one of ours, and be as long as any', async () => {
  const owner = await makeOwner()
  const address = `https://elsewhere.example/v1/uploads/file/${'🙂'.repeat(1000)}`
  expect((await show(owner, avatar, address)).body.data.avatarUrl).toBe(address)
})

test('what is made with a picture is held to the same rule', async () => {
  const { user, token, group } = await makeOwner()
  const stranger = await makeOwner()
  const cases = [
    ['/v1/profile/portfolio', 'imageUrl', 'media', { title: 'Clock' }],
    [`/v1/manage/groups/${group.id}/events`, 'photoUrl', 'event-photo', newEvent()],
    ['/v1/manage/groups', 'photoUrl', 'group-photo', { name: 'New', urlname: `new-${randomHex(6)}` }],
    [
      '/v1/developer/apps',
      'logoUri',
      'app-logo',
      { name: 'App', redirectUris: ['https://app.example/back'] },
    ],
  ] as const
  for (const [path, field, category, json] of cases) {
    const [own, foreign] = [
      await makeUpload(user.id, { category }),
      await makeUpload(stranger.user.id, { category }),
    ]
    const refused = await post(path, { token, json: { ...json, [field]: foreign.url } })
    expect([path, refused.status]).toEqual([path, 400])
    expect(refused.body.error).toStartWith(`${field} must be the address of a picture that you uploaded`)
    const made = await post(path, { token, json: { ...json, [field]: own.url } })
    expect([path, made.status]).toEqual([path, 201])
  }
})

test('what a colleague put there stays while others change the rest, and cannot be carried elsewhere', async () => {
  const { owner, upload } = await showing(PLACES['a group photo'] as (typeof PLACES)[string])
  const manager = await makeOwner()
  await makeMember(owner.group.id, manager.user.id, 'manager')
  const path = `/v1/manage/groups/${owner.group.id}`
  const same = { name: 'Renamed', photoUrl: upload.url }
  expect((await patch(path, { token: manager.token, json: same })).body.data).toMatchObject(same)
  const elsewhere = `/v1/manage/groups/${manager.group.id}`
  expect((await patch(elsewhere, { token: manager.token, json: { photoUrl: upload.url } })).status).toBe(400)
  // An administrator is nobody's owner.
  const { token } = await makeAdmin()
  expect((await patch(elsewhere, { token, json: { photoUrl: upload.url } })).status).toBe(400)
})

test('a copy of an event shows its picture, unless that is gone', async () => {
  const { owner, upload } = await showing(PLACES['an event photo'] as (typeof PLACES)[string])
  const copy = async () => {
    const path = `/v1/manage/groups/${owner.group.id}/events/${owner.event.id}/duplicate`
    const { body } = await post(path, { token: owner.token, json: { startTimes: [newEvent().startTime] } })
    return body.data.events[0].photoUrl
  }
  expect(await copy()).toBe(upload.url)
  await db.execute(sql`update uploads set state = 'removed' where id = ${upload.id}`)
  expect(await copy()).toBeNull()
})

test('an application that registers itself has no files here', async () => {
  const owner = await makeOwner()
  const { url } = await makeUpload(owner.user.id, { category: 'app-logo' })
  const metadata = { redirect_uris: ['https://app.example/back'], token_endpoint_auth_method: 'none' }
  const { status, body } = await post('/oauth/register', { json: { ...metadata, logo_uri: url } })
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  const elsewhere = { ...metadata, logo_uri: 'https://app.example/logo.png' }
  expect((await post('/oauth/register', { json: elsewhere })).status).toBe(201)
})
