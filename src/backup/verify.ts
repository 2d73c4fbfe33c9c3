import { ConfigError } from '@/config/error'
import { nameOf } from '@/config/owner'
import { FIRST, isSums, KEY, MANIFEST, MANIFEST_SUM, objectIn, tableIn } from './archive/names'
import { bytesOf, Damage, type Entry, entriesOf } from './archive/read'
import { LIST_MAX, line } from './archive/write'
import { type Files, FORMAT, type Manifest, manifestIn, startIn } from './manifest'

/** Receives the content of an entry; skips the unread rest. */
export type Visit = (name: string, content: AsyncGenerator<Uint8Array>) => Promise<void>

export type Verified = { manifest: Manifest; key: string }

/**
 * Reads a whole backup and compares its checksums. `visit` sees the content before it is verified: trust it only after this
 * returns.
 */
export async function verify(path: string, visit: Visit = async () => {}): Promise<Verified> {
  try {
    return await walk(path, visit)
  } catch (error) {
    throw explained(path, error)
  }
}

async function walk(path: string, visit: Visit): Promise<Verified> {
  let lines: string[] = []
  const lists: string[] = []
  let [key, manifest, end]: [string, Manifest | undefined, string] = ['', undefined, '']
  let sumOfManifest = ''
  let isFirst = true
  const files: Files = { objects: 0, bytes: 0 }
  for await (const entry of entriesOf(path)) {
    const { name, size } = entry
    const hash = new Bun.CryptoHasher('sha256')
    const content = hashed(entry, hash)
    const held = () => (size > maxOf(name) ? Promise.reject(new Damage('altered', name)) : bytesOf(content))
    // Each of these occurs once, and only the checksum follows the manifest.
    if ((name === KEY && key !== '') || (manifest !== undefined && name !== MANIFEST_SUM) || end !== '')
      throw new Damage('altered', name)
    if (isFirst) await demandStart(name, held)
    else if (isSums(name)) {
      const text = (await held()).toString()
      if (text !== lines.join('')) throw new Damage('altered', firstDifference(lines, text))
      lines = []
    } else if (name === KEY) key = (await held()).toString().trim()
    else if (name === MANIFEST) manifest = manifestIn(await held())
    else if (name === MANIFEST_SUM) end = (await held()).toString()
    else {
      if (objectIn(name) !== undefined) {
        files.objects += 1
        files.bytes += size
      } else if (tableIn(name) === undefined) throw new Damage('altered', name)
      await visit(name, content)
    }
    for await (const _ of content);
    isFirst = false
    const sum = hash.digest('hex')
    if (isSums(name)) lists.push(sum)
    else if (name === MANIFEST) sumOfManifest = sum
    else if (name !== MANIFEST_SUM && lines.push(line(sum, name)) > LIST_MAX)
      throw new Damage('altered', 'its checksums')
  }
  if (manifest === undefined || end !== line(sumOfManifest, MANIFEST)) throw new Damage('altered', MANIFEST)
  if (lines.length > 0 || manifest.lists.join() !== lists.join()) throw new Damage('altered', 'its checksums')
  if (key === '') throw new Damage('altered', KEY)
  const { objects, bytes } = manifest.files ?? { objects: 0, bytes: 0 }
  if (objects !== files.objects || bytes !== files.bytes) throw new Damage('altered', 'its files')
  return { manifest, key }
}

async function* hashed({ content }: Entry, hash: Bun.CryptoHasher): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

/** Maximum bytes of an entry held in memory: a manifest of a hundred million files fits. */
const maxOf = (name: string) => (name === MANIFEST ? 16 * 1024 * 1024 : 256 * 1024)

async function demandStart(name: string, read: () => Promise<Buffer>) {
  if (name !== FIRST) throw new Damage('foreign', name)
  const start = startIn(await read())
  if (start === undefined) throw new Damage('altered', name)
  if (start.format > FORMAT) throw new NewerFormat(start.folkmoot)
}

class NewerFormat extends Error {}

/** The entry whose checksum differs from its list. */
function firstDifference(lines: string[], text: string): string {
  const written = text.split('\n')
  const found = lines.findIndex((one, at) => one !== `${written[at]}\n`)
  return lines[found]?.slice(66).trim() ?? 'its checksums'
}

function explained(path: string, error: unknown): unknown {
  if (error instanceof Damage) {
    if (error.kind === 'foreign') return new ConfigError(`${path} is no backup of Folkmoot.`)
    return new ConfigError(
      error.kind === 'cut'
        ? `${path} is cut off after ${error.entry}: take another backup; this one cannot be restored.`
        : `${path} is damaged at ${error.entry}: take another backup; this one cannot be restored.`,
    )
  }
  if (error instanceof NewerFormat)
    return new ConfigError(
      `${path} was made by a newer release of Folkmoot (${error.message}): restore it with that one.`,
    )
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES')
    return new ConfigError(
      `${path} cannot be read by ${nameOf(process.getuid?.() ?? 0)}, who runs this (EACCES): give that user the file, and a way into its folder.`,
    )
  if (code === 'ENOENT' || code === 'EISDIR')
    return new ConfigError(`${path} cannot be read (${code}): give the file of a backup.`)
  return error
}
