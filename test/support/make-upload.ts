import { writeFileSync } from 'node:fs'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { uploads } from '@/db/tables/uploads'
import type { Category } from '@/modules/people/uploads/categories'
import { newKey, publicUrl } from '@/modules/people/uploads/key'
import { fileName } from '@/modules/people/uploads/objects'
import { storage } from '@/outbound/storage/current'

type Fields = Partial<Omit<typeof uploads.$inferInsert, 'category' | 'contentType'>> & {
  category?: Category
  contentType?: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp' | 'application/octet-stream'
  content?: string | Uint8Array
}

/** A file that has been sent and checked: its row, its object, and the address at which it is served. */
export async function makeUpload(
  ownerId: string,
  {
    content = `file ${randomHex(8)}`,
    category = 'avatar',
    contentType = 'image/png',
    ...fields
  }: Fields = {},
) {
  const bytes = Buffer.from(content)
  const [id, file, at] = [newId(), crypto.randomUUID(), new Date()]
  const path = storage.scratch()
  writeFileSync(path, bytes)
  await storage.adopt(fileName(file), path)
  const [row] = await db
    .insert(uploads)
    .values({
      ...{ id, ownerId, category, contentType, file, filename: 'picture.png', maker: 'person' as const },
      ...{ key: newKey({ category, contentType }, 'picture.png'), state: 'ready' as const },
      ...{ declaredSize: bytes.length, size: bytes.length },
      sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
      ...{ expiresAt: at, createdAt: at, changedAt: at },
      ...fields,
    })
    .returning()
  const upload = row as typeof uploads.$inferSelect
  return { ...upload, url: publicUrl(upload.key) }
}
