import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { pngChunk, pngWith, uint32 } from './bytes'
import { animation, drawn, fieldsOf, noise } from './drawn'
import { taken } from './files'

const WIDTHS = [1280, 640, 320, 160, 64]

describe('a picture', () => {
  test('is stored in its own type to fit 4096 pixels, and in smaller sizes', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const sent = await drawn(5000, 1000).toFormat(format).toBuffer()
      const { main, sizes, width, height, bytes, type } = await taken(sent, `image/${format}`)
      expect([type, main.contentType, width, height]).toEqual([
        `image/${format}`,
        `image/${format}`,
        4096,
        819,
      ])
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 4096, height: 819 })
      expect([...new Set(sizes.map((size) => size.width))]).toEqual(WIDTHS)
      for (const made of [main, ...sizes]) {
        const file = Bun.file(made.path)
        expect(file.size).toBe(made.size)
        expect(Bun.SHA256.hash(await file.bytes(), 'hex')).toBe(made.sha256)
        expect(await fieldsOf(made.path)).toBe('rgbw')
      }
      for (const width of WIDTHS) {
        const [own, newer, ...more] = sizes.filter((size) => size.width === width)
        expect(own?.contentType).toBe(`image/${format}`)
        expect(more).toEqual([])
        if (!newer) continue
        expect(['image/webp', 'image/avif']).toContain(newer.contentType)
        expect(newer.size).toBeLessThan(own!.size)
        const { mediaType } = await sharp(newer.path).metadata()
        expect([String(mediaType), (await sharp(newer.path).metadata()).width]).toEqual([
          newer.contentType,
          width,
        ])
      }
    }
  })

  test('is never enlarged', async () => {
    const { sizes, width } = await taken(await drawn(160, 320).png().toBuffer(), 'image/png')
    expect(width).toBe(160)
    expect([...new Set(sizes.map((size) => size.width))]).toEqual([64])
    expect((await taken(await drawn(2, 2).png().toBuffer(), 'image/png')).sizes).toEqual([])
  })

  test('has no version that takes more bytes than itself', async () => {
    // Lines of two colours, whose edges become many when they are made smaller.
    const lines = Array.from(
      { length: 90 },
      (_, n) => `<line x1="${n * 16}" x2="${1440 - n * 16}" y2="900"/>`,
    )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1440" height="900"><rect width="1440" height="900" fill="#fff"/><g stroke="#000" shape-rendering="crispEdges">${lines.join('')}</g></svg>`
    for (const format of ['png', 'gif'] as const) {
      const drawing = sharp(Buffer.from(svg)).removeAlpha()
      const sent = await (format === 'png'
        ? drawing.png({ palette: true, colours: 2 })
        : drawing.gif()
      ).toBuffer()
      const { main, sizes } = await taken(sent, `image/${format}`)
      for (const { size } of sizes) expect(size).toBeLessThan(main.size)
      const own = sizes.filter(({ contentType }) => contentType === main.contentType)
      expect(own.map(({ width }) => width)).not.toContain(1280)
      expect(own.map(({ width }) => width)).toContain(64)
    }
  })

  test('that is a photo is much smaller in a newer type', async () => {
    const { sizes } = await taken(
      await noise(1400, 700).blur(2).jpeg({ quality: 95 }).toBuffer(),
      'image/jpeg',
    )
    expect(sizes.filter((size) => size.contentType !== 'image/jpeg').length).toBe(5)
  })

  test('has one file of each type in a size', async () => {
    const sent = await noise(400, 300).webp({ lossless: true }).toBuffer()
    const { sizes } = await taken(sent, 'image/webp')
    expect(sizes.map((size) => `${size.width} ${size.contentType}`)).toEqual(
      [320, 160, 64].flatMap((width) => [`${width} image/webp`, `${width} image/avif`]),
    )
  })

  test('stays transparent in every size', async () => {
    const circle =
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><circle cx="200" cy="200" r="150" fill="red"/></svg>'
    for (const format of ['png', 'webp', 'gif'] as const) {
      const { main, sizes } = await taken(
        await sharp(Buffer.from(circle)).toFormat(format).toBuffer(),
        `image/${format}`,
      )
      for (const { path } of [main, ...sizes]) {
        const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
        const alpha = (x: number, y: number) => data[(y * info.width + x) * 4 + 3]
        expect([alpha(0, 0), alpha(info.width >> 1, info.height >> 1)]).toEqual([0, 255])
      }
    }
  })

  test('keeps its colours in any colour space', async () => {
    const sources = [
      drawn(100, 100).toColourspace('cmyk').withIccProfile('cmyk').jpeg(),
      drawn(100, 100).toColourspace('rgb16').png(),
      drawn(100, 100).png({ palette: true }),
      drawn(100, 100).withIccProfile('p3').png(),
    ]
    for (const source of sources) {
      const sent = await source.toBuffer()
      const { format, space } = await sharp(sent).metadata()
      const { bytes } = await taken(sent, `image/${format}`)
      expect(await sharp(bytes).metadata()).toMatchObject({
        space: 'srgb',
        depth: 'uchar',
        hasProfile: false,
      })
      expect([space, await fieldsOf(bytes)]).toEqual([space, await fieldsOf(sent)])
    }
  })

  test('in grey stays grey', async () => {
    const grey = noise(200, 100)
    for (const source of [
      grey.clone().toColourspace('b-w').jpeg(),
      grey.clone().toColourspace('grey16').png(),
    ]) {
      const sent = await source.toBuffer()
      const { format, channels } = await sharp(sent).metadata()
      const { bytes, sizes } = await taken(sent, `image/${format}`)
      expect([channels, (await sharp(bytes).metadata()).channels]).toEqual([1, 1])
      expect(sizes.length).toBeGreaterThan(1)
    }
  })

  test('keeps its palette, and stays lossless', async () => {
    const pixels = (file: Uint8Array) => sharp(file).ensureAlpha().raw().toBuffer()
    for (const sent of [
      await drawn(100, 100).png({ palette: true }).toBuffer(),
      await noise(100, 100).png().toBuffer(),
      await noise(100, 100).webp({ lossless: true }).toBuffer(),
    ]) {
      const { format, isPalette } = await sharp(sent).metadata()
      const { bytes } = await taken(sent, `image/${format}`)
      expect((await pixels(bytes)).equals(await pixels(sent))).toBe(true)
      expect((await sharp(bytes).metadata()).isPalette).toBe(isPalette)
    }
  })

  test('grows little when re-encoded', async () => {
    const sent = await noise(1500, 1500).jpeg({ quality: 10 }).toBuffer()
    const usual = await sharp(sent).jpeg({ quality: 85 }).toBuffer()
    expect(usual.length).toBeGreaterThan(sent.length * 1.5)
    expect((await taken(sent, 'image/jpeg')).main.size).toBeLessThan(usual.length * 0.8)
  })
})

describe('an animation', () => {
  test('keeps its frames and their times, in all sizes of WebP', async () => {
    const delay = [100, 200, 300, 400]
    for (const format of ['gif', 'webp'] as const) {
      const sent = await (await animation(200, 100, 4)).toFormat(format, { delay, loop: 3 }).toBuffer()
      const { bytes, sizes, width, height } = await taken(sent, `image/${format}`)
      expect([width, height]).toEqual([200, 100])
      expect(await sharp(bytes).metadata()).toMatchObject({ pages: 4, delay, loop: 3 })
      const moving = sizes.filter(({ contentType }) => contentType === 'image/webp')
      expect(moving.map((size) => size.width)).toEqual([160, 64])
      for (const { path } of moving) expect(await sharp(path).metadata()).toMatchObject({ pages: 4, delay })
    }
  })

  test('in GIF has stills in its own type', async () => {
    const { sizes } = await taken(await (await animation(200, 100, 4)).gif().toBuffer(), 'image/gif')
    const own = sizes.filter(({ contentType }) => contentType === 'image/gif')
    expect(own.map((size) => size.width)).toEqual([160, 64])
    for (const { path } of own) expect((await sharp(path).metadata()).pages ?? 1).toBe(1)
  })

  test('in PNG becomes its still', async () => {
    const png = await drawn(200, 100).png().toBuffer()
    const control = pngChunk('acTL', Buffer.concat([uint32(2), uint32(0)]))
    const { bytes } = await taken(pngWith(png, control), 'image/png')
    expect(bytes.includes('acTL')).toBe(false)
    expect(await fieldsOf(bytes)).toBe('rgbw')
  })

  test('that says how it is turned is taken all the same', async () => {
    const sent = await (await animation(60, 40, 3)).withMetadata({ orientation: 6 }).webp().toBuffer()
    const { bytes } = await taken(sent, 'image/webp')
    const { pages, orientation } = await sharp(bytes).metadata()
    expect([pages, orientation]).toEqual([3, undefined])
  })
})
