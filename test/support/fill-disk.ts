import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { diskStorage } from '@/outbound/storage/local/disk'
import { StorageFull } from '@/outbound/storage/storage'

// Fills a disk of a megabyte, mounted where the first word says, with files that come from the folder of the second.
const [disk = '', elsewhere = ''] = process.argv.slice(2)
const folder = join(disk, 'uploads')
const storage = diskStorage({ folder, keepFree: 0 })
const taken: string[] = []
let failure: unknown

for (let i = 0; i < 20 && failure === undefined; i += 1) {
  const name = `files/${crypto.randomUUID()}`
  const path = join(elsewhere, `sent-${i}`)
  writeFileSync(path, String(i % 10).repeat(150_000))
  try {
    await storage.adopt(name, path)
    taken.push(name)
  } catch (error) {
    failure = error
  }
  if (existsSync(path)) throw new Error('the local file is still there')
}

const listed: string[] = []
for await (const { name, size } of storage.list('')) if (size === 150_000) listed.push(name)
const texts = await Promise.all(taken.map((name) => (storage.read(name) as Blob).text()))
console.log(
  JSON.stringify({
    isFull: failure instanceof StorageFull,
    taken: taken.length,
    agrees: listed.sort().join() === taken.sort().join(),
    whole: texts.every((text) => text.length === 150_000),
    unfinished: readdirSync(join(folder, 'scratch')).length,
    room: await storage.freeBytes(),
  }),
)
