import { afterAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { config } from '@/config/config'
import { apiUrl } from '../../../../support/api'
import { makeFile } from './fixtures'

const SECRET = 'nobody may read this'

/** Beside the files, where one `..` too many would lead. */
const folder = config.storage.address.kind === 'disk' ? config.storage.address.folder : ''
const secrets = ['', 'files', '..'].map((place) => join(folder, place, 'secret.txt'))
afterAll(() => {
  for (const path of secrets) rmSync(path, { force: true })
})

let strangers = 0
/** Some of the paths lead to where requests are counted. */
const stranger = () => `10.77.${(strangers >> 8) & 255}.${strangers++ & 255}`

/** The status and the text, for a path that no client has tidied. */
async function raw(path: string): Promise<string> {
  const { hostname, port } = new URL(apiUrl())
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) =>
        void socket.write(
          Buffer.from(
            `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${stranger()}\r\nconnection: close\r\n\r\n`,
            'latin1',
          ),
        ),
      data: (_, chunk) => {
        received += chunk.toString('latin1')
      },
      close: () => resolve(received),
    },
  })
  return promise
}

/** Bun resolves plain dot segments itself, before there is a path: they lead to other routes, if anywhere. */
const DOTS = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%25252e%25252e',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '%f0%80%80%ae%f0%80%80%ae',
  '%uff0e%uff0e',
  '%u002e%u002e',
  '%ef%bc%8e%ef%bc%8e',
  '..%00',
  '..%0d%0a',
  '..;',
  '....',
  '\xc0\xae\xc0\xae',
]
const SLASHES = ['/', '%2f', '%2F', '%252f', '\\', '%5c', '%255c', '%c0%af', '%ef%bc%8f']

test('no encoding of a path leads anywhere', async () => {
  for (const path of secrets) writeFileSync(path, SECRET)
  const { key, file } = (await makeFile()) as { key: string; file: string }
  const [category, random, name] = key.split('/')
  const climbing = DOTS.flatMap((dots) =>
    SLASHES.flatMap((slash) => [
      `${dots}${slash}secret.txt`,
      `${category}${slash}${dots}${slash}${dots}${slash}secret.txt`,
      `${category}/${random}/${dots}${slash}${dots}${slash}secret.txt`,
    ]),
  )
  const odd = [
    ...[
      '',
      '/',
      '//',
      '.',
      './',
      '%00',
      '%',
      '%zz',
      '%2',
      '*',
      '?',
      'secret.txt',
      '/etc/passwd',
      '%2fetc%2fpasswd',
    ],
    ...[
      'file:///etc/passwd',
      'C:%5cwindows%5cwin.ini',
      '~',
      '%7e',
      'files',
      'files/',
      'scratch/',
      'incoming/',
    ],
    ...[
      `files/${file}`,
      `files/${file.slice(-2)}/${file}`,
      category,
      `${category}/`,
      `${category}/${random}`,
    ],
    ...[`${category}/${random}/`, `${key}/`, `/${key}`, `${key}%00`, `${key}%00.png`, `${key}.`, `${key}%20`],
    ...[`${category}//${random}/${name}`, `${key}%0a`, key.toUpperCase()],
    ...[`${category}/${random}%5c${name}`, encodeURIComponent(encodeURIComponent(key))],
    'a'.repeat(6000),
  ]
  const answers = [...climbing, ...odd].map(async (path) => {
    const answer = await raw(`/v1/uploads/file/${path}`)
    return { path, status: Number(answer.slice(9, 12)), answer }
  })
  for (const { path, status, answer } of await Promise.all(answers)) {
    expect([path, answer.includes(SECRET), answer.includes('root:')]).toEqual([path, false, false])
    expect([path, status]).toEqual([path, 404])
  }
  expect(Number((await raw(`/v1/uploads/file/${key}`)).slice(9, 12))).toBe(200)
})
