import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { newPassId } from '@/modules/passes/passes/id'
import { get } from '../../../support/api'
import { makeUser } from '../../../support/make'
import { makeUpload } from '../../../support/make-upload'
import { png } from '../../../support/uploads'
import { makeQrPass, makeTag } from '../fixtures'
import { componentsOf, parseVcard, valuesOf } from './parse-vcard'

const contactOf = (id: string, headers = {}) => get(`/pass/${id}/contact.vcf`, { headers })

describe('/pass/{id}/contact.vcf', () => {
  test('is the owner for an address book: name, picture, profile and links, and no mail address', async () => {
    const picture = png(64, 64)
    const owner = await makeUser({
      name: 'José van der Zee; Jr.',
      bio: 'A bio',
      location: 'A place',
      socialLinks: ['https://jose.example/a,b'],
    })
    const { url } = await makeUpload(owner.id, { content: picture })
    await db.update(users).set({ avatarUrl: url }).where(eq(users.id, owner.id))
    const id = await makeQrPass({ ownerId: owner.id })
    const { status, headers, text } = await contactOf(id)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="Jose-van-der-Zee-Jr.vcf"; filename*=UTF-8''Jos%C3%A9%20van%20der%20Zee%3B%20Jr.vcf`,
    )
    expect(headers.get('x-ratelimit-limit')).not.toBeNull()
    const read = parseVcard(text)
    expect(read.map(({ name }) => name)).toEqual([
      ...['BEGIN', 'VERSION', 'N', 'FN', 'PHOTO', 'URL', 'URL', 'END'],
    ])
    expect(valuesOf(read, 'FN').map(componentsOf)).toEqual([['José van der Zee; Jr.']])
    expect(valuesOf(read, 'URL')).toEqual([
      `${config.baseUrl}/u/${owner.username}`,
      'https://jose.example/a,b',
    ])
    expect(Buffer.from(valuesOf(read, 'PHOTO')[0] as string, 'base64').equals(picture)).toBe(true)
    for (const hidden of [owner.email as string, 'A bio', 'A place', owner.id])
      expect(text).not.toContain(hidden)

    const etag = headers.get('etag') as string
    expect((await contactOf(id, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(`/PASS/${id.toUpperCase()}/contact.vcf`)).text).toBe(text)
  })

  test('of a private owner holds the name only, besides the picture', async () => {
    const owner = await makeUser({ profileVisibility: 'private', socialLinks: ['https://shy.example'] })
    const { text } = await contactOf(await makeQrPass({ ownerId: owner.id }))
    expect(parseVcard(text).map(({ name }) => name)).toEqual(['BEGIN', 'VERSION', 'N', 'FN', 'END'])
  })

  test('names a picture by its address when it is too large, and takes none from elsewhere', async () => {
    const owner = await makeUser()
    const { url } = await makeUpload(owner.id, { content: png(300, 300) })
    const photoOf = async (avatarUrl: string) => {
      const { id } = await makeUser({ avatarUrl })
      return valuesOf(parseVcard((await contactOf(await makeQrPass({ ownerId: id }))).text), 'PHOTO')
    }
    expect(await photoOf(url)).toEqual([`${url}?w=320`])
    expect(await photoOf('https://elsewhere.example/a.png')).toEqual([])
    expect(await photoOf(`${url.slice(0, -8)}xx.png`)).toEqual([])
  })

  test('is 404 where there is no owner and 410 where the pass is not in use', async () => {
    const suspended = await makeUser({ suspendedAt: new Date() })
    const statuses = await Promise.all(
      [
        newPassId(),
        'nonsense',
        await makeTag(),
        await makeTag({ isActive: false }),
        await makeQrPass({ isActive: false }),
        await makeQrPass({ ownerId: suspended.id }),
      ].map(async (id) => (await contactOf(id)).status),
    )
    expect(statuses).toEqual([404, 404, 404, 410, 410, 410])
    const page = await contactOf(newPassId(), { accept: 'text/html' })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })
})
