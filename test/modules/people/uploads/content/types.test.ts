import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { refused, taken } from './files'

const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

const OTHERS = {
  html: '<!doctype html><script>alert(1)</script>',
  'html after a byte order mark': '\ufeff \n<html><script>alert(1)</script></html>',
  svg: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  xml: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  javascript: 'alert(document.domain)',
  pdf: '%PDF-1.7\n1 0 obj <</S /JavaScript /JS (app.alert(1))>> endobj',
  zip: Buffer.from('504b0304140000000800', 'hex'),
  exe: Buffer.from('4d5a90000300000004000000ffff0000', 'hex'),
  elf: Buffer.from('7f454c460201010000', 'hex'),
  'one byte': Buffer.from([0xff]),
}

describe('the type of a file', () => {
  for (const [name, content] of Object.entries(OTHERS))
    test(`is not a picture's for ${name}`, async () => {
      for (const type of [...PICTURES, 'model/gltf-binary'])
        expect(await refused(content, type)).toMatch(/^The file is .*not a /)
    })

  test('is the declared one and no other', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    expect(await refused(png, 'image/jpeg')).toBe('The file is a PNG picture, not a JPEG picture.')
    expect(await refused(png, 'model/gltf-binary')).toBe('The file is a PNG picture, not a GLB model.')
    expect((await taken(png, 'image/png')).main).toMatchObject({ contentType: 'image/png' })
  })

  test('that phones and programs make by themselves is refused with what to do', async () => {
    const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`, 'latin1')
    const pictures = [
      ['a HEIC picture', ftyp('heic')],
      ['an AVIF picture', ftyp('avif')],
      ['a TIFF picture', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
      ['a BMP picture', Buffer.from('BM\0\0')],
    ] as const
    for (const [name, bytes] of pictures) {
      expect(await refused(bytes, 'image/jpeg')).toBe(
        `The file is ${name}, not a JPEG picture: save it as JPEG, PNG, GIF or WebP and send that.`,
      )
      expect(await refused(bytes, 'model/gltf-binary')).toBe(`The file is ${name}, not a GLB model.`)
    }
    const gltf = '\ufeff { "asset": { "version": "2.0" } }'
    expect(await refused(gltf, 'model/gltf-binary')).toBe(
      'The file is JSON, not a GLB model: export it as one .glb file.',
    )
    expect(await refused(gltf, 'image/png')).toBe('The file is JSON, not a PNG picture.')
  })

  test('does not matter for what is only ever saved', async () => {
    for (const content of Object.values(OTHERS)) {
      const { main, bytes, sizes, width } = await taken(content, 'application/octet-stream')
      expect(bytes).toEqual(Buffer.from(content as string))
      expect(main).toMatchObject({
        contentType: 'application/octet-stream',
        size: bytes.length,
        sha256: Bun.SHA256.hash(bytes, 'hex'),
      })
      expect([sizes, width]).toEqual([[], null])
    }
  })
})

describe('the size of a file', () => {
  test('is the declared one', async () => {
    const reason = 'The file does not have the size that was declared.'
    expect(await refused('12345', 'application/octet-stream', 4)).toBe(reason)
    expect(await refused('12345', 'application/octet-stream', 6)).toBe(reason)
  })

  test('is not zero', async () => {
    for (const type of [...PICTURES, 'model/gltf-binary', 'application/octet-stream'])
      expect(await refused('', type)).toBe('The file is empty.')
  })
})
