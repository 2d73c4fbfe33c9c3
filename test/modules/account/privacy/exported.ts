import { inflateRawSync } from 'node:zlib'
import { config } from '@/config/config'
import { exportJob } from '@/modules/account/privacy/export/jobs'
import { apiUrl, get } from '../../../support/api'
import { runNextJob } from '../../../support/lanes'

type As = Parameters<typeof get>[1]

/** Does what workers have to do. */
export async function work() {
  while (await runNextJob([exportJob])) {}
}

export const ask = async (as: As) => (await get('/v1/profile/export', as)).body.data

/** Asks for an export, has it made, and asks again. */
export async function made(as: As) {
  await ask(as)
  await work()
  return ask(as)
}

export const fetchFile = (url: string) => fetch(url.replace(config.baseUrl, apiUrl()))

export async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetchFile(url)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** The entries of an archive, as its directory lists them. */
export function unzipped(zip: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  const end = zip.length - 22
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as number[] as [
      number,
      number,
      number,
    ]
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = zip.subarray(start, start + packed)
    found.set(
      zip.subarray(at + 46, at + 46 + name).toString(),
      method === 0 ? content : inflateRawSync(content),
    )
    at += 46 + name + extra + comment
  }
  return found
}

/** The export of somebody: its tables by name, the page, and the names of all entries. */
export async function contentOf(url: string) {
  const entries = unzipped(await bytesOf(url))
  const table = (name: string) => JSON.parse(entries.get(`data/${name}.json`)?.toString() ?? 'null')
  return { entries, table, page: entries.get('index.html')?.toString() ?? '', names: [...entries.keys()] }
}
