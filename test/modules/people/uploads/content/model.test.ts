import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { exif, glbChunk, glbFile, jpegWith, pngChunk, pngOf, pngWith, uint32Little } from './bytes'
import { refused, taken } from './files'
import { glb, triangle } from './glb'

const TYPE = 'model/gltf-binary'
const canvas = sharp({ create: { width: 16, height: 16, channels: 3, background: 'tan' } })
let [png, jpeg, webp]: Buffer[] = []
beforeAll(async () => {
  png = await canvas.clone().png().toBuffer()
  jpeg = await canvas.clone().jpeg().toBuffer()
  webp = await canvas.clone().webp().toBuffer()
})

const read = (file: Buffer) => {
  const length = file.readUInt32LE(12)
  return { model: JSON.parse(file.toString('utf8', 20, 20 + length)), binary: file.subarray(28 + length) }
}

/** A sound model, changed in one place. */
// biome-ignore lint/suspicious/noExplicitAny: a test breaks the shape wherever it likes.
function changed(change: (model: Record<string, any>) => void) {
  const made = triangle(png!)
  change(made.model)
  return glb(made)
}

describe('a model', () => {
  test('is taken with everything in it', async () => {
    const made = triangle(png!)
    const { bytes, type, sizes, main } = await taken(glb(made), TYPE)
    expect(read(bytes).model).toEqual(made.model)
    expect(read(bytes).binary.subarray(0, made.binary.length).equals(made.binary)).toBe(true)
    expect(bytes.readUInt32LE(8)).toBe(bytes.length)
    expect([type, sizes, main.contentType]).toEqual([TYPE, [], TYPE])
  })

  test('is taken without binary data, with meshopt, and with data that accessors change', async () => {
    await taken(glb({ model: { asset: { version: '2.0' } } }), TYPE)
    const packed = { EXT_meshopt_compression: { buffer: 0, byteLength: 16 } }
    const fallback = { EXT_meshopt_compression: { fallback: true } }
    await taken(
      glb({
        model: {
          asset: { version: '2.0' },
          buffers: [{ byteLength: 16 }, { byteLength: 900, extensions: fallback }],
          bufferViews: [
            { buffer: 1, byteLength: 900, extensions: packed },
            { buffer: 0, byteLength: 16 },
          ],
          accessors: [
            {
              ...{ componentType: 5126, count: 75, type: 'VEC3', bufferView: 0 },
              sparse: {
                count: 1,
                indices: { bufferView: 1, componentType: 5121 },
                values: { bufferView: 1, byteOffset: 4 },
              },
            },
          ],
        },
        binary: Buffer.alloc(16, 1),
      }),
      TYPE,
    )
  })

  const BAD: Record<string, () => Uint8Array> = {
    'of another version': () =>
      Buffer.concat([Buffer.from('glTF'), uint32Little(1), changed(() => {}).subarray(8)]),
    'longer than it says': () => Buffer.concat([changed(() => {}), Buffer.from('<script>')]),
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
    'with broken JSON': () => glb({ model: '{"asset":{"version":"2.0"}' }),
    'with JSON that is not UTF-8': () =>
      glbFile(glbChunk('JSON', Buffer.from('{"asset":{"version":"2.0","a":"\xff"}}', 'latin1'), ' ')),
    'with JSON that is a list': () => glb({ model: '[]' }),
    'with deep JSON': () =>
      glb({ model: `{"asset":{"version":"2.0"},"extras":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }),
    'with a million values': () =>
      glb({ model: `{"asset":{"version":"2.0"},"extras":[${'{},'.repeat(1_000_000)}0]}` }),
    'without a version': () => glb({ model: { asset: {} } }),
    'whose buffer is larger than its data': () => changed((model) => (model.buffers[0].byteLength += 4)),
    'whose data is larger than its buffer': () => changed((model) => (model.buffers[0].byteLength -= 4)),
    'with a buffer that is nowhere': () => changed((model) => model.buffers.push({ byteLength: 10 })),
    'with a view over the end': () => changed((model) => (model.bufferViews[1].byteLength += 1)),
    'with a view before the beginning': () => changed((model) => (model.bufferViews[0].byteOffset = -4)),
    'with a view of half a byte': () => changed((model) => (model.bufferViews[0].byteLength = 35.5)),
    'with a view of no buffer': () => changed((model) => (model.bufferViews[0].buffer = 7)),
    'with an accessor over the end': () => changed((model) => (model.accessors[0].count = 4)),
    'with an accessor of no view': () => changed((model) => (model.accessors[0].bufferView = 9)),
    'with accessors of a billion elements': () =>
      changed((model) => model.accessors.push({ componentType: 5126, type: 'MAT4', count: 1e9 })),
    'with an unknown component': () => changed((model) => (model.accessors[0].componentType = 5124)),
    'with a picture of no view': () => changed((model) => (model.images[0].bufferView = 9)),
    'with a picture of another type': () => changed((model) => (model.images[0].mimeType = 'image/jpeg')),
    'with a page for a picture': () =>
      glb(triangle(Buffer.from('<svg onload="alert(1)"/>'), 'image/svg+xml')),
    'with a huge picture': () => glb(triangle(pngOf(16_000, 16_000))),
    'with a cut picture': () => glb(triangle(png!.subarray(0, -8))),
  }
  for (const [name, make] of Object.entries(BAD))
    test(`is refused ${name}`, async () => {
      expect(await refused(make(), TYPE)).toMatch(/^(The file is damaged|The model |A picture inside)/)
    })

  test('refers to nothing outside, wherever that stands', async () => {
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

  test('says each thing once, and holds nothing that it does not show', async () => {
    const { model, binary } = triangle(png!)
    const twice = JSON.stringify(model).replace(
      '"version"',
      '"generator":"SECRET","generator":"tool","version"',
    )
    const hidden = Buffer.concat([binary, Buffer.from('SECRET!!')])
    const json = twice.replace(`"byteLength":${binary.length}`, `"byteLength":${hidden.length}`)
    const xmp = json.replace(
      '"asset":{',
      '"extensionsUsed":["KHR_xmp_json_ld"],"extensions":{"KHR_xmp_json_ld":{"packets":["SECRET"]}},"asset":{',
    )
    const file = glbFile(
      glbChunk('JSON', xmp, ' '),
      glbChunk('BIN\0', hidden, '\0'),
      glbChunk('EVIL', 'SECRET', '\0'),
    )
    const { bytes } = await taken(file, TYPE)
    expect(bytes.includes('SECRET')).toBe(false)
    expect(read(bytes).model).toMatchObject({ asset: { generator: 'tool' }, extensions: {} })
    expect(read(bytes).model.extensionsUsed).toBeUndefined()
  })

  test('has textures without their metadata, which decode as before', async () => {
    const webpWithExif = await canvas
      .clone()
      .withExif({ IFD0: { Make: 'SpyCam 3000' } })
      .webp()
      .toBuffer()
    const spied: [Uint8Array, string][] = [
      [jpegWith(jpegWith(jpeg!, 0xe1, exif(6)), 0xfe, 'SpyCam 3000'), 'image/jpeg'],
      [Buffer.concat([jpeg!, jpegWith(jpeg!, 0xe1, exif(6))]), 'image/jpeg'],
      [
        Buffer.concat([
          pngWith(png!, pngChunk('eXIf', exif(6).subarray(6)), pngChunk('tEXt', 'Author\0SpyCam 3000')),
          Buffer.from('SpyCam 3000'),
        ]),
        'image/png',
      ],
      [webpWithExif, 'image/webp'],
      [webp!, 'image/webp'],
    ]
    for (const [picture, type] of spied) {
      const { bytes } = await taken(glb(triangle(picture, type)), TYPE)
      expect(bytes.includes('SpyCam')).toBe(false)
      const texture = read(bytes).binary.subarray(36, 36 + picture.length)
      const pixels = (file: Uint8Array) => sharp(file, { failOn: 'warning' }).raw().toBuffer()
      expect((await pixels(texture)).equals(await pixels(picture))).toBe(true)
    }
  })
})
