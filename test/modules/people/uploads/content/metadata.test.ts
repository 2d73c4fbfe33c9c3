import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { exif, jpegWith, pngChunk, pngWith } from './bytes'
import { drawn, fieldsOf } from './drawn'
import { refused, taken } from './files'

/** The colours of the four fields once a picture is turned as its orientation says. */
const UPRIGHT = ['rgbw', 'grwb', 'wbgr', 'bwrg', 'rbgw', 'brwg', 'wgbr', 'gwrb']

/** Every file that was made, as bytes. */
const allOf = async ({ main, sizes }: Awaited<ReturnType<typeof taken>>) =>
  Promise.all([main, ...sizes].map(async ({ path }) => Buffer.from(await Bun.file(path).bytes())))

const METADATA = [
  'Exif',
  'II*\0',
  'SpyCam',
  'http://ns.adobe.com',
  'ICC_PROFILE',
  'iCCP',
  'tEXt',
  'eXIf',
  'EXIF',
  'XMP ',
  'script',
]
function expectNone(files: Buffer[]) {
  for (const file of files) expect(METADATA.filter((word) => file.includes(word))).toEqual([])
}

describe('a photo', () => {
  test('is turned upright and forgets where it was taken, in all sizes', async () => {
    const jpeg = await drawn(400, 200).jpeg().toBuffer()
    for (const [index, fields] of UPRIGHT.entries()) {
      const sent = jpegWith(jpeg, 0xe1, exif(index + 1))
      expect((await sharp(sent).metadata()).orientation).toBe(index + 1)
      const found = await taken(sent, 'image/jpeg')
      expect([found.width, found.height]).toEqual(index < 4 ? [400, 200] : [200, 400])
      const files = await allOf(found)
      for (const file of files) expect(await fieldsOf(file)).toBe(fields)
      for (const file of files) expect((await sharp(file).metadata()).orientation).toBeUndefined()
      expectNone(files)
    }
  })

  test('loses the metadata of cameras and editors, in every type', async () => {
    const spied = drawn(200, 100)
      .withExif({ IFD0: { Make: 'SpyCam' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/" about="http://ns.adobe.com/SpyCam"/>')
      .withIccProfile('p3')
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const sent = await spied.clone().toFormat(format).toBuffer()
      const { exif, xmp, icc } = await sharp(sent).metadata()
      expect([exif, xmp, icc]).not.toContain(undefined)
      const files = await allOf(await taken(sent, `image/${format}`))
      for (const file of files) {
        expect(await sharp(file).metadata()).not.toContainAnyKeys(['exif', 'xmp', 'icc', 'iptc', 'comments'])
        expect(await fieldsOf(file)).toBe('rgbw')
      }
      expectNone(files)
    }
  })

  test('loses comments, thumbnails and texts', async () => {
    const jpeg = await drawn(200, 100).jpeg().toBuffer()
    const png = await drawn(200, 100).png().toBuffer()
    const gif = await drawn(200, 100).gif().toBuffer()
    const comment = Buffer.from(`\x21\xfe\x0fSpyCam <script>\0`, 'latin1')
    const palette = 13 + 3 * 2 ** ((gif[10]! & 7) + 1)
    const cases: [Uint8Array, string][] = [
      [jpegWith(jpeg, 0xfe, 'SpyCam'), 'image/jpeg'],
      [jpegWith(jpeg, 0xed, 'Photoshop 3.0\x008BIM\x04\x04SpyCam'), 'image/jpeg'],
      [
        pngWith(
          png,
          pngChunk('tEXt', 'Author\0SpyCam'),
          pngChunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0SpyCam'),
        ),
        'image/png',
      ],
      [Buffer.concat([gif.subarray(0, palette), comment, gif.subarray(palette)]), 'image/gif'],
    ]
    for (const [sent, type] of cases) expectNone(await allOf(await taken(sent, type)))
  })
})

describe('a polyglot', () => {
  const SCRIPT = '<script>alert(1)</script>'

  test('keeps its picture and loses its other language', async () => {
    const [jpeg, png, gif, webp] = await Promise.all([
      drawn(200, 100).jpeg().toBuffer(),
      drawn(200, 100).png().toBuffer(),
      drawn(200, 100).gif().toBuffer(),
      drawn(200, 100)
        .withXmp('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
        .webp()
        .toBuffer(),
    ])
    const profile = Buffer.concat([
      Buffer.from('ICC_PROFILE\0\x01\x01'),
      Buffer.alloc(128),
      Buffer.from(SCRIPT),
    ])
    const cases: [string, Uint8Array, string][] = [
      ['PNG and HTML', Buffer.concat([png, Buffer.from(SCRIPT)]), 'image/png'],
      ['HTML in a PNG', pngWith(png, pngChunk('tEXt', `Comment\0${SCRIPT}`)), 'image/png'],
      ['GIF and JavaScript', Buffer.concat([gif, Buffer.from(`*/=1;alert(1)//${SCRIPT}`)]), 'image/gif'],
      [
        'EXIF with a script',
        jpegWith(jpeg, 0xe1, Buffer.concat([exif(1), Buffer.from(SCRIPT)])),
        'image/jpeg',
      ],
      ['a profile with a script', jpegWith(jpeg, 0xe2, profile), 'image/jpeg'],
      ['a comment with a script', jpegWith(jpeg, 0xfe, SCRIPT), 'image/jpeg'],
      ['JPEG and PDF', jpegWith(jpeg, 0xfe, `%PDF-1.4\n${SCRIPT}`), 'image/jpeg'],
      ['JPEG and ZIP', Buffer.concat([jpeg, Buffer.from(`PK\x03\x04${SCRIPT}`)]), 'image/jpeg'],
      ['SVG in a WebP', webp, 'image/webp'],
    ]
    for (const [name, sent, type] of cases) {
      expect([name, Buffer.from(sent).includes('script')]).toEqual([name, true])
      for (const file of await allOf(await taken(sent, type))) {
        const words = ['script', 'alert', '%PDF', 'PK\x03\x04'].filter((word) => file.includes(word))
        expect([name, words]).toEqual([name, []])
        expect(await fieldsOf(file)).toBe('rgbw')
      }
    }
  })

  test('whose width opens a comment of JavaScript is another file afterwards', async () => {
    const gif = await drawn(200, 100).gif().toBuffer()
    gif.write('/*', 6, 'latin1')
    const script = '*/=1;alert(1)'
    const found = await taken(Buffer.concat([gif, Buffer.from(script)]), 'image/gif')
    for (const file of await allOf(found))
      expect([file.includes('alert'), file.includes('GIF89a/*')]).toEqual([false, false])
    expect(await refused(`GIF89a/*aaaa${script}`, 'image/gif')).toContain('damaged')
  })
})
