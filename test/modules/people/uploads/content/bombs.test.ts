import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { inspectorPid } from '@/modules/people/uploads/content/inspect'
import { seededRandom } from '../../../../support/random'
import { gifOf, jpegWith, PNG_SIGNATURE, pngChunk, pngOf, pngWith } from './bytes'
import { animation, drawn } from './drawn'
import { inspected, refused, taken } from './files'
import { glb, triangle } from './glb'

const DAMAGED = 'The file is damaged: it cannot be read to its end.'

/** The most memory that the child process has ever held, in MB. */
const peak = () =>
  Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${inspectorPid()}/status`, 'utf8'))?.[1]) / 1024

/** Rewrites the sides in the frame header of a JPEG. */
async function jpegOf(width: number, height: number) {
  const jpeg = await drawn(64, 64).jpeg().toBuffer()
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, at + 5)
  jpeg.writeUInt16BE(width, at + 7)
  return jpeg
}

describe('a pixel bomb', () => {
  test('is refused by its header and costs no memory', async () => {
    await taken(await drawn(64, 64).png().toBuffer(), 'image/png')
    const before = peak()
    const tooManyPixels = 'The picture has more than 50 million pixels, all frames counted together.'
    const tooLong = 'The picture is more than 16,383 pixels wide or high.'
    const scanlines = deflateSync(Buffer.alloc(10_000_000))
    expect(await refused(pngOf(30_000, 30_000, scanlines), 'image/png')).toBe(tooLong)
    expect(await refused(pngOf(65_535, 65_535), 'image/png')).toBe(tooLong)
    expect(await refused(pngOf(0xffffffff, 1), 'image/png')).toBe(DAMAGED)
    expect(await refused(pngOf(16_383, 16_383), 'image/png')).toBe(tooManyPixels)
    expect(await refused(await jpegOf(65_500, 65_500), 'image/jpeg')).toBe(tooLong)
    expect(await refused(await jpegOf(10_000, 10_000), 'image/jpeg')).toBe(tooManyPixels)
    expect(await refused(gifOf(65_535, 65_535, 1, [65_535, 65_535]), 'image/gif')).toBe(tooLong)
    expect(await refused(gifOf(1000, 1000, 51), 'image/gif')).toBe(tooManyPixels)
    expect(await refused(gifOf(1, 1, 650_000), 'image/gif')).toBe('The animation has more than 500 frames.')
    const webp = await (await animation(64, 64, 2)).webp().toBuffer()
    webp.writeUIntLE(16_382, 24, 3)
    webp.writeUIntLE(16_382, 27, 3)
    expect(await refused(webp, 'image/webp')).toBe(tooManyPixels)
    expect(peak() - before).toBeLessThan(60)
  })

  test('is refused when its data is not what its header says', async () => {
    expect(await refused(pngOf(5000, 5000), 'image/png')).toBe(DAMAGED)
    expect(await refused(await jpegOf(5000, 5000), 'image/jpeg')).toBe(DAMAGED)
    expect(await refused(pngOf(0, 10), 'image/png')).toBe(DAMAGED)
  })

  test('in compressed text is thrown away unread', async () => {
    const png = await drawn(64, 64).png().toBuffer()
    const bomb = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(100_000_000))])
    const profile = Buffer.concat([Buffer.from('sRGB\0\0'), deflateSync(Buffer.alloc(100_000_000))])
    for (const chunk of [pngChunk('zTXt', bomb), pngChunk('iCCP', profile)]) {
      const { finding, left } = await inspected(pngWith(png, chunk), 'image/png')
      if (finding.ok) expect(finding.main.size).toBeLessThan(10_000)
      expect(left).toEqual([])
    }
    expect(peak()).toBeLessThan(400)
  })
})

describe('a damaged picture', () => {
  test('is refused when truncated at any byte', async () => {
    const whole: [Buffer, string][] = [
      [await drawn(300, 200).jpeg().toBuffer(), 'image/jpeg'],
      [await drawn(300, 200).jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
      [await drawn(300, 200).png().toBuffer(), 'image/png'],
      [await drawn(300, 200).webp().toBuffer(), 'image/webp'],
      [await drawn(300, 200).webp({ lossless: true }).toBuffer(), 'image/webp'],
      [await (await animation(60, 40, 5)).gif().toBuffer(), 'image/gif'],
      [await (await animation(60, 40, 5)).webp().toBuffer(), 'image/webp'],
    ]
    for (const [bytes, type] of whole) {
      await taken(bytes, type)
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
        const reason = await refused(bytes.subarray(0, Math.floor(bytes.length * part)), type)
        expect(reason).toMatch(/^The file is (damaged|not a)/)
      }
    }
  })

  test('is refused when its bytes are noise', async () => {
    const heads: [Uint8Array, string][] = [
      [Buffer.from('ffd8ff', 'hex'), 'image/jpeg'],
      [PNG_SIGNATURE, 'image/png'],
      [Buffer.from('GIF89a'), 'image/gif'],
      [Buffer.from('RIFF\xf0\x07\0\0WEBP', 'latin1'), 'image/webp'],
    ]
    for (const [head, type] of heads)
      for (let seed = 0; seed < 20; seed++) {
        const tail = Buffer.from(Bun.SHA512.hash(`${seed}`, 'hex').repeat(20))
        expect(await refused(Buffer.concat([head, tail]), type)).toMatch(/^The (file|picture|animation) /)
        expect(await refused(head, type)).toBe(DAMAGED)
      }
  })

  test('is accepted or refused with a message, whichever bytes are wrong', async () => {
    const { random, pick } = seededRandom()
    const texture = await drawn(20, 20).png().toBuffer()
    const whole: [Buffer, string][] = [
      [await drawn(40, 30).jpeg().toBuffer(), 'image/jpeg'],
      [await drawn(40, 30).png().toBuffer(), 'image/png'],
      [await (await animation(40, 30, 3)).gif().toBuffer(), 'image/gif'],
      [await (await animation(40, 30, 3)).webp().toBuffer(), 'image/webp'],
      [glb(triangle(texture)), 'model/gltf-binary'],
    ]
    for (let round = 0; round < 150; round++) {
      const [sound, type] = pick(whole) as [Buffer, string]
      const bytes = Buffer.from(sound)
      for (let wrong = 0; wrong < 3; wrong++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      expect((await inspected(bytes, type)).left).toEqual([])
    }
  })

  test('is read alike by us and by the decoder, or not at all', async () => {
    const jpeg = await drawn(64, 64).jpeg().toBuffer()
    const frame = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 4).subarray(0, 15)
    const larger = Buffer.from(frame)
    larger.writeUInt16BE(9000, 1)
    expect(await refused(jpegWith(jpeg, 0xc0, larger), 'image/jpeg')).toBe(DAMAGED)
  })
})
