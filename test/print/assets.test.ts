import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { config } from '@/config/config'
import { makeQrPass, makeTag } from '../modules/passes/fixtures'
import { apiUrl } from '../support/api'
import { demandPrograms, makeFolder, readByZbar } from './programs'

beforeAll(demandPrograms, 300_000)

const folder = makeFolder()
afterAll(() => rmSync(folder, { recursive: true }))

test('zbar reads what the server draws of a pass, in every size and both strengths', async () => {
  const fetched = async (path: string) => new Uint8Array(await (await fetch(apiUrl() + path)).arrayBuffer())
  const pictures: string[] = []
  const addresses: string[] = []
  for (const id of [await makeQrPass(), await makeTag()]) {
    const keep = (name: string, bytes: Uint8Array) => {
      const file = join(folder, `${id}-${name}.png`)
      writeFileSync(file, bytes)
      pictures.push(file)
      addresses.push(`${config.baseUrl}/PASS/${id}`.toUpperCase())
    }
    for (const size of [128, 200, 333, 512, 1024, 2048])
      keep(String(size), await fetched(`/pass/${id}/qr.png?size=${size}`))
    for (const ecc of ['M', 'Q']) {
      const svg = await fetched(`/pass/${id}/qr.svg?ecc=${ecc}`)
      keep(ecc, await sharp(svg, { density: 150 }).png().toBuffer())
    }
  }
  expect(await readByZbar(pictures)).toEqual(addresses.map((address) => [address]))
}, 120_000)
