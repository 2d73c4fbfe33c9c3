import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { glbChunk, glbFile, uint32Little } from './bytes'
import { refused, taken } from './files'
import { glb, triangle } from './glb'

const TYPE = 'model/gltf-binary'
let png: Buffer | undefined
beforeAll(async () => {
  png = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'tan' } })
    .png()
    .toBuffer()
})

/** A sound model, changed in one place. */
// biome-ignore lint/suspicious/noExplicitAny: a test breaks the shape wherever it likes.
function changed(change: (model: Record<string, any>) => void) {
  const made = triangle(png!)
  change(made.model)
  return glb(made)
}

describe('a model', () => {
  test('is taken and stored as it was sent', async () => {
    for (const file of [glb(triangle(png!)), glb({ model: { asset: { version: '2.0' } } })]) {
      const { bytes, type, sizes, main } = await taken(file, TYPE)
      expect(bytes.equals(file)).toBe(true)
      expect([type, sizes, main.contentType]).toEqual([TYPE, [], TYPE])
    }
  })

  const BAD: Record<string, () => Uint8Array> = {
    'of another version': () =>
      Buffer.concat([Buffer.from('glTF'), uint32Little(1), changed(() => {}).subarray(8)]),
    'longer than it says': () => Buffer.concat([changed(() => {}), glbChunk('EVIL', '<script>', '\0')]),
    'cut off': () => changed(() => {}).subarray(0, -4),
    'of a header alone': () => glbFile(),
    'whose chunk runs over the end': () => {
      const file = changed(() => {})
      file.writeUInt32LE(0xfffffff0, 12)
      return file
    },
    'whose chunk is not aligned': () => {
      const file = changed(() => {})
      file.writeUInt32LE(file.readUInt32LE(12) - 1, 12)
      return file
    },
    'without JSON': () => glbFile(glbChunk('BIN\0', 'data', '\0')),
    'with two chunks of JSON': () =>
      glbFile(glbChunk('JSON', '{"asset":{"version":"2.0"}}', ' '), glbChunk('JSON', '{}', ' ')),
    'with two chunks of data': () =>
      glbFile(
        glbChunk('JSON', '{"asset":{"version":"2.0"}}', ' '),
        glbChunk('BIN\0', 'data', '\0'),
        glbChunk('BIN\0', 'data', '\0'),
      ),
    'with broken JSON': () => glb({ model: '{"asset":{"version":"2.0"}' }),
    'with JSON that is not UTF-8': () =>
      glbFile(glbChunk('JSON', Buffer.from('{"asset":{"version":"2.0","a":"\xff"}}', 'latin1'), ' ')),
    'with JSON that is a list': () => glb({ model: '[]' }),
    'without a version': () => glb({ model: { asset: {} } }),
  }
  for (const [name, make] of Object.entries(BAD))
    test(`is refused ${name}`, async () => {
      expect(await refused(make(), TYPE)).toMatch(/^(The file is damaged|The model is not)/)
    })

  test('must not reference external files, at any depth', async () => {
    const addresses = [
      'https://evil.example/a.bin',
      '../../etc/passwd',
      '//evil.example',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      '',
    ]
    for (const uri of addresses) {
      expect(
        await refused(
          changed((model) => model.images.push({ uri })),
          TYPE,
        ),
      ).toContain('other files')
      expect(
        await refused(
          changed((model) => (model.buffers[0].uri = uri)),
          TYPE,
        ),
      ).toContain('other files')
      const nested = changed(
        (model) => (model.extensions = { MPEG_media: { media: [{ alternatives: [{ uri }] }] } }),
      )
      expect(await refused(nested, TYPE)).toContain('other files')
    }
  })

  test('refers to nothing outside in a duplicate or an escaped key', async () => {
    for (const buffers of [
      '"buffers":[{"uri":"//evil.example"}],"buffers":[]',
      '"buffers":[{"\\u0075ri" :"//evil.example"}]',
    ])
      expect(await refused(glb({ model: `{"asset":{"version":"2.0"},${buffers}}` }), TYPE)).toContain(
        'other files',
      )
    await taken(glb({ model: { asset: { version: '2.0', generator: 'an "uri": of \\' } } }), TYPE)
  })
})
