import { describe, expect, test } from 'bun:test'
import { config } from '@/config/config'
import { get } from '../../../../support/api'
import { fileUrl, makeFile } from './fixtures'

const SMALLER = [
  { width: 640, contentType: 'image/jpeg', content: 'jpeg of 640' },
  { width: 640, contentType: 'image/avif', content: 'avif of 640' },
  { width: 64, contentType: 'image/jpeg', content: 'jpeg of 64' },
]

const makePicture = () =>
  makeFile({ content: 'the whole', contentType: 'image/jpeg', filename: 'a b.jpeg', smaller: SMALLER })

const ask = async (key: string, query: string, accept?: string) => {
  const { status, text, headers } = await get(fileUrl(key) + query, {
    headers: accept === undefined ? {} : { accept },
  })
  return { status, text, headers }
}

describe('?w=', () => {
  test('is the smaller picture, with a type, a tag and a name of its own', async () => {
    const { key } = await makePicture()
    const found = [await ask(key, ''), await ask(key, '?w=640'), await ask(key, '?w=64')]
    expect(found.map(({ text }) => text)).toEqual(['the whole', 'jpeg of 640', 'jpeg of 64'])
    expect(new Set(found.map(({ headers }) => headers.get('etag'))).size).toBe(3)
    expect(found.map(({ headers }) => headers.get('content-disposition')?.split(';')[1])).toEqual([
      ' filename="a-b.jpg"',
      ' filename="a-b-640.jpg"',
      ' filename="a-b-64.jpg"',
    ])
  })

  test('is the file itself where that is not larger, or no picture', async () => {
    const { key } = await makePicture()
    for (const width of [160, 320, 1280]) expect((await ask(key, `?w=${width}`)).text).toBe('the whole')
    const model = await makeFile({ content: 'model', contentType: 'model/gltf-binary' })
    expect((await ask(model.key, '?w=64')).text).toBe('model')
  })

  test('is 400 for every other width, and echoes nothing', async () => {
    const { key } = await makePicture()
    const odd = [
      '',
      '0',
      '-64',
      '64.0',
      '+64',
      ' 64',
      '064',
      '65',
      '1e2',
      'Infinity',
      'NaN',
      '0x40',
      '64,640',
    ]
    for (const width of [...odd, '٦٤', '64%00', '<script>', '9'.repeat(400)]) {
      const { status, text } = await ask(key, `?w=${encodeURIComponent(width)}`)
      expect([width, status, JSON.parse(text)]).toEqual([
        width,
        400,
        { error: 'w must be one of 64, 160, 320, 640, 1280', code: 'validation_error' },
      ])
    }
    for (const query of ['?w=64&w=64', '?w=64&w=640', '?w', '?w=&w=64', '?w[]=64&w=1'])
      expect([query, (await ask(key, query)).status]).toEqual([query, 400])
  })

  test('knows no other parameters', async () => {
    const { key } = await makePicture()
    expect((await ask(key, '?v=2&W=7&width=1')).text).toBe('the whole')
    expect((await ask(key, '?v=2&w=64&x=%zz')).text).toBe('jpeg of 64')
  })
})

describe('a width that was left out in the picture’s own type, which takes more bytes than the whole', () => {
  test('is the whole, and the newer type for those who name it', async () => {
    const { key } = await makeFile({
      content: 'the whole',
      contentType: 'image/png',
      filename: 'a b.png',
      smaller: [{ width: 640, contentType: 'image/webp', content: 'webp' }],
    })
    const [whole, small] = [await ask(key, '?w=640'), await ask(key, '?w=640', 'image/webp')]
    expect([whole.text, whole.headers.get('content-type')]).toEqual(['the whole', 'image/png'])
    expect(whole.headers.get('etag')).toBe((await ask(key, '')).headers.get('etag') as string)
    expect(whole.headers.get('content-disposition')).toStartWith('inline; filename="a-b.png"')
    expect([small.text, small.headers.get('content-type')]).toEqual(['webp', 'image/webp'])
    for (const { headers } of [whole, small]) expect(headers.get('vary')).toBe('Accept, Origin')
    expect((await ask(key, '')).headers.get('vary')).toBe('Origin')
    expect((await ask(key, '?w=320')).text).toBe('the whole')
  })
})

describe('Accept', () => {
  test('that names the smaller type gets it, unless it would rather have the other', async () => {
    const { key } = await makePicture()
    const newer = [
      'image/avif',
      'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
      'IMAGE/AVIF;q=0.5, */*;q=0.1',
      'image/jpeg;q=0.4, image/avif;q=0.5',
      'image/jpeg;q=0, image/avif;q=0.001',
    ]
    const own = [
      '*/*',
      'image/*',
      'image/webp',
      'image/avif;q=0',
      'image/avif;q=0.5, image/jpeg',
      'image/avif;q=0.5, */*',
      'image/avifs',
      'garbage;;;,=,',
      '',
    ]
    for (const accept of newer) {
      const { text, headers } = await ask(key, '?w=640', accept)
      expect([accept, text, headers.get('content-type')]).toEqual([accept, 'avif of 640', 'image/avif'])
      expect(headers.get('content-disposition')).toStartWith('inline; filename="a-b-640.avif"')
    }
    for (const accept of own)
      expect([accept, (await ask(key, '?w=640', accept)).text]).toEqual([accept, 'jpeg of 640'])
    // The file itself has one type only.
    expect((await ask(key, '', 'image/avif')).text).toBe('the whole')
  })

  test('decides only where there is a choice, and caches are told so beside the origin', async () => {
    expect(config.allowedOrigins).not.toEqual([])
    const { key } = await makePicture()
    const varies = async (query: string) => (await ask(key, query)).headers.get('vary')
    expect(await varies('?w=640')).toBe('Accept, Origin')
    expect(await varies('?w=64')).toBe('Origin')
    expect(await varies('')).toBe('Origin')
    const etag = (await ask(key, '?w=640')).headers.get('etag') as string
    const known = await get(`${fileUrl(key)}?w=640`, { headers: { 'if-none-match': etag } })
    expect([known.status, known.headers.get('vary')]).toEqual([304, 'Accept, Origin'])
    // The tag of one type says nothing about the other.
    const other = { 'if-none-match': etag, accept: 'image/avif' }
    expect((await get(`${fileUrl(key)}?w=640`, { headers: other })).status).toBe(200)
  })
})
