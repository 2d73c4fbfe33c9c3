import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFileForm } from '@/http/file-form'

const folder = mkdtempSync(join(tmpdir(), 'folkmoot-form-'))

// The network puts pieces together as it likes, so these are given by hand.
test('a file in a form keeps every byte, for any chunk boundaries', async () => {
  const boundary = 'a-boundary'
  // It holds the beginnings of many a boundary.
  const content = Buffer.from(`\r\n--a-bound\r\n\r\n--a\r\n--${'\0\r\n-'.repeat(20)}\r`)
  const part = (head: string) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`)
  const whole = Buffer.concat([
    part('name="csrf"'),
    Buffer.from('a-token\r\n'),
    part('name="file"; filename="me.png"'),
    content,
    Buffer.from('\r\n'),
    part('name="status"'),
    Buffer.from(`draft\r\n--${boundary}--\r\n`),
  ])
  for (let length = 1; length <= whole.length; length += 1) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < whole.length; at += length) controller.enqueue(whole.subarray(at, at + length))
        controller.close()
      },
    })
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const request = new Request('http://form.invalid', { method: 'POST', body, headers })
    const path = join(folder, String(length))
    const tokens: (string | null)[] = []
    const onFile = (fields: URLSearchParams) => void tokens.push(fields.get('csrf'))
    const { files, fields } = await readFileForm(request, { paths: { file: path }, bytesMax: 1000, onFile })
    expect([length, ...tokens, files.get('file')?.size]).toEqual([length, 'a-token', content.length])
    expect(fields.get('status')).toBe('draft')
    expect(readFileSync(path)).toEqual(content)
  }
})

test('a text in a form is UTF-8, or the form is refused', async () => {
  const form = (text: Buffer) =>
    new Request('http://form.invalid', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([
        Buffer.from('--b\r\ncontent-disposition: form-data; name="title"\r\n\r\n'),
        text,
        Buffer.from('\r\n--b--\r\n'),
      ]),
    })
  const terms = (name: string) => ({ paths: { file: join(folder, name) }, bytesMax: 1000, onFile: () => {} })
  const { fields } = await readFileForm(form(Buffer.from('Café 🎤')), terms('whole'))
  expect(fields.get('title')).toBe('Café 🎤')
  await expect(readFileForm(form(Buffer.from('Café', 'latin1')), terms('cut'))).rejects.toMatchObject({
    status: 400,
  })
})
