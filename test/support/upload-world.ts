import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newId } from '@/core/ids'
import { diskStorage } from '@/outbound/storage/local/disk'
import type { Storage } from '@/outbound/storage/storage'
import { runFolkmoot, startFolkmoot } from './command-line'
import { ownDatabase } from './processes'

export const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

export async function put(storage: Storage, name: string, text: string): Promise<void> {
  const path = storage.scratch()
  writeFileSync(path, text)
  await storage.adopt(name, path)
}

/** A database and a storage of its own, with uploads as they are written, and the commands that look at them. */
export async function uploadWorld() {
  const databaseUrl = await ownDatabase()
  const sql = new Bun.SQL(databaseUrl, { max: 1 })
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-uploads-'))
  const storage = diskStorage({ folder, keepFree: 0 })
  const ownerId = newId()
  await sql`insert into users (id, name, username) values (${ownerId}, 'Robin', 'robin')`

  type Columns = { state?: string; incoming?: string; file?: string; text?: string; reason?: string }
  const insert = async ({ state = 'ready', incoming, file, text = '', reason }: Columns, sizes: object[]) => {
    const id = newId()
    await sql`insert into uploads (id, key, owner_id, maker, category, filename, content_type, declared_size, state,
        incoming, file, size, sha256, sizes, reason, next_check_at, expires_at, created_at, changed_at)
      values (${id}, ${`avatar/${id}/me.jpg`}, ${ownerId}, 'person', 'avatar', 'me.jpg', 'image/jpeg',
        ${text.length || 4}, ${state}, ${incoming ?? null}, ${file ?? null}, ${text.length || null},
        ${text ? sha256(text) : null}, ${sizes}::jsonb, ${reason ?? null},
        ${state === 'received' ? new Date() : null}, now(), now(), now())`
    return `avatar/${id}/me.jpg`
  }

  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    STORAGE_URL: pathToFileURL(folder).href,
    STORAGE_KEEP_FREE: '0',
  }

  return {
    databaseUrl,
    storage,
    folder,
    sql,
    storageUrl: pathToFileURL(folder).href,
    insert,
    /** A picture and a smaller one, as a check leaves them. */
    async ready(text = `picture ${crypto.randomUUID()}`) {
      const file = crypto.randomUUID()
      const small = `small ${text}`
      await put(storage, `files/${file}`, text)
      await put(storage, `files/${file}.64.webp`, small)
      const size = {
        width: 64,
        contentType: 'image/webp',
        ending: 'webp',
        size: small.length,
        sha256: sha256(small),
      }
      return {
        key: await insert({ file, text }, [size]),
        name: `files/${file}`,
        small: `files/${file}.64.webp`,
      }
    },
    start: (words: string[], environment: Record<string, string> = {}) =>
      startFolkmoot(words, { ...settings, ...environment }),
    folkmoot: (words: string[], environment: Record<string, string> = {}) =>
      runFolkmoot(words, { ...settings, ...environment }),
  }
}
