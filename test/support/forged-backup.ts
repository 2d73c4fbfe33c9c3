import { mkdtempSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSums, MANIFEST, MANIFEST_SUM } from '@/backup/archive/names'
import { bytesOf, entriesOf } from '@/backup/archive/read'
import { archiveWriter } from '@/backup/archive/write'

type Content = {
  entries: Map<string, Uint8Array>
  manifest: Record<string, unknown>
  /** What stands behind the entries, under names that they may have already. */
  more: [string, Uint8Array][]
}

/** A backup in which something is another thing, and whose checksums are right all the same. */
export async function forged(backup: string, change: (content: Content) => unknown): Promise<string> {
  const entries = new Map<string, Uint8Array>()
  for await (const { name, content } of entriesOf(backup)) entries.set(name, await bytesOf(content))
  const manifest = JSON.parse(Buffer.from(entries.get(MANIFEST) ?? []).toString())
  const more: Content['more'] = []
  await change({ entries, manifest, more })
  const path = join(mkdtempSync(join(tmpdir(), 'folkmoot-forged-')), 'forged.backup')
  const file = await open(path, 'wx')
  const archive = archiveWriter(file, new Date())
  for (const [name, bytes] of [...entries, ...more])
    if (!isSums(name) && name !== MANIFEST && name !== MANIFEST_SUM) await archive.add(name, bytes)
  await archive.finish(manifest)
  await file.close()
  return path
}
