import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from '@/modules/people/uploads/content/inspect'

const folder = mkdtempSync(join(tmpdir(), 'content-'))
let count = 0

/** Inspects bytes as an upload of that type. `left` lists what remains in scratch beside what was made. */
export async function inspected(bytes: Uint8Array | string, contentType: string, size?: number) {
  const own = join(folder, String(++count))
  mkdirSync(own)
  const path = join(own, 'sent')
  writeFileSync(path, bytes)
  const scratch = () => join(own, `scratch-${++count}`)
  const finding = await inspect(path, { contentType, size: size ?? Bun.file(path).size }, scratch)
  const made = finding.ok ? [finding.main, ...finding.sizes].map((one) => one.path) : []
  const left = readdirSync(own).filter((name) => name !== 'sent' && !made.includes(join(own, name)))
  return { finding, left }
}

/** The finding of a file that is taken. */
export async function taken(bytes: Uint8Array | string, contentType: string) {
  const { finding, left } = await inspected(bytes, contentType)
  if (!finding.ok) throw new Error(`It was refused: ${finding.reason}`)
  if (left.length > 0) throw new Error(`It left ${left.length} files in scratch`)
  return { ...finding, bytes: Buffer.from(await Bun.file(finding.main.path).bytes()) }
}

/** The reason of a refusal that leaves nothing in scratch. */
export async function refused(bytes: Uint8Array | string, contentType: string, size?: number) {
  const { finding, left } = await inspected(bytes, contentType, size)
  if (finding.ok) throw new Error('It was taken')
  if (left.length > 0) throw new Error(`It left ${left.length} files in scratch`)
  return finding.reason
}
