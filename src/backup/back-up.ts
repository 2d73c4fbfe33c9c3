import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { ConfigError } from '@/config/error'
import { dump } from '@/db/backup/dump'
import type { Storage } from '@/outbound/storage/storage'
import { version } from '../../package.json'
import { FIRST, KEY, objectEntry, rowsName } from './archive/names'
import { compressed } from './archive/parts'
import { type ArchiveWriter, archiveWriter } from './archive/write'
import { type Files, FORMAT, type Manifest } from './manifest'
import { putInPlace, unfinishedName } from './place'
import { verify } from './verify'

export type Progress =
  | { stage: 'rows'; table: string; rows: number }
  | { stage: 'files'; objects: number; bytes: number }
  | { stage: 'reading back'; entries: number }

type Terms = {
  file: string
  at: Date
  databaseUrl: string
  secretKey: string
  /** Absent without uploaded files. */
  storage?: Storage | undefined
  onProgress: (so: Progress) => void
}

export type BackedUp = { file: string; bytes: number; manifest: Manifest }

/** Backs up a running server and verifies the result. The file gets its name only when complete and verified. */
export async function backUp(terms: Terms): Promise<BackedUp> {
  const unfinished = unfinishedName(terms.file)
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await write(file, terms)
    } finally {
      await file.close()
    }
    let entries = 0
    const { manifest } = await verify(unfinished, async () => {
      entries += 1
      terms.onProgress({ stage: 'reading back', entries })
    })
    const { size } = await stat(unfinished)
    await putInPlace(unfinished, terms.file)
    return { file: terms.file, bytes: size, manifest }
  } catch (error) {
    throw explained(terms.file, error)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Rows before files: a file is stored before its row is committed, so the files of every row exist. Unchecked uploads disappear
 * after their check, so they are copied first, right after the snapshot.
 */
async function write(file: FileHandle, { at, databaseUrl, secretKey, storage, onProgress }: Terms) {
  const archive = archiveWriter(file, at)
  const start = { format: FORMAT, folkmoot: version, at: at.toISOString() }
  await archive.add(FIRST, Buffer.from(`${JSON.stringify(start)}\n`))
  await archive.add(KEY, Buffer.from(`${secretKey}\n`))
  const files = storage && filesInto(archive, storage, onProgress)
  const database = await writeRows(archive, databaseUrl, onProgress, () => files?.writeAll('incoming/'))
  await files?.writeAll('')
  await archive.finish({ ...start, ...database, files: files?.sum ?? null } satisfies Omit<Manifest, 'lists'>)
}

const writeRows = (
  archive: ArchiveWriter,
  url: string,
  onProgress: Terms['onProgress'],
  onSnapshot: () => Promise<void> | undefined,
) =>
  dump(url, async ({ read, ...shape }) => {
    await onSnapshot()
    let [table, part, rows] = ['', 0, 0]
    const sums = await read(async (name, { bytes, count }) => {
      part = name === table ? part + 1 : 1
      table = name
      rows += count
      await archive.add(rowsName(name, part), await compressed(name, bytes))
      onProgress({ stage: 'rows', table, rows })
    })
    return { ...shape, ...sums }
  })

function filesInto(archive: ArchiveWriter, storage: Storage, onProgress: Terms['onProgress']) {
  const sum: Files = { objects: 0, bytes: 0 }
  const waiting = new Set<string>()
  return {
    sum,
    async writeAll(prefix: 'incoming/' | '') {
      for await (const { name } of storage.list(prefix)) {
        // A personal data export expires after a day and can be requested again.
        if (name.startsWith('exports/') || waiting.has(name)) continue
        const size = await writeFile(archive, storage, name)
        if (size === null) continue
        if (prefix !== '') waiting.add(name)
        sum.objects += 1
        sum.bytes += size
        onProgress({ stage: 'files', ...sum })
      }
    },
  }
}

/** Null for an object deleted meanwhile. An opened file can be read to its end even if deleted. */
async function writeFile(archive: ArchiveWriter, storage: Storage, name: string): Promise<number | null> {
  const borrowed = await storage.borrow(name)
  if (borrowed === null) return null
  try {
    const file = await open(borrowed.path, 'r').catch((error) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (file === null) return null
    try {
      const { size } = await file.stat()
      await archive.addStream(objectEntry(name), size, chunksOf(file, size))
      return size
    } finally {
      await file.close()
    }
  } finally {
    await borrowed.done()
  }
}

const CHUNK_BYTES = 256 * 1024

async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

function explained(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new ConfigError(`There is no room for ${file}: free some space, or name a place on another disk.`)
  if (syscall && (code === 'EACCES' || code === 'EPERM' || code === 'EROFS'))
    return new ConfigError(
      `${file} cannot be written (${code}): name a place that the user of this command may write to.`,
    )
  return error
}
