import { writeFileSync } from 'node:fs'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { uploads } from '@/db/tables/uploads'
import type { Category } from '@/modules/people/uploads/categories'
import type { ContentType } from '@/modules/people/uploads/content/content-types'
import { fileName, newKey, publicUrl, smallerName } from '@/modules/people/uploads/key'
import { storage } from '@/outbound/storage/current'

type Fields = Partial<Omit<typeof uploads.$inferInsert, 'category' | 'contentType'>> & {
  category?: Category
  contentType?: ContentType
  content?: string | Uint8Array
  smaller?: { width: number; contentType: string; content: string | Uint8Array }[]
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

async function store(name: string, bytes: Uint8Array): Promise<void> {
  const path = storage.scratch()
  writeFileSync(path, bytes)
  await storage.adopt(name, path)
}

/** A file that has been sent and checked: its row, its object, and the address at which it is served. */
export async function makeUpload(
  ownerId: string,
  {
    content = `file ${randomHex(8)}`,
    category = 'avatar',
    contentType = 'image/png',
    filename = 'picture.png',
    smaller = [],
    ...fields
  }: Fields = {},
) {
  const bytes = Buffer.from(content)
  const [id, file, at] = [newId(), crypto.randomUUID(), new Date()]
  await store(fileName(file), bytes)
  const sizes = await Promise.all(
    smaller.map(async ({ width, contentType, content }) => {
      const [bytes, ending] = [Buffer.from(content), contentType.replace('image/', '').replace('jpeg', 'jpg')]
      await store(smallerName(file, { width, ending }), bytes)
      return { width, contentType, ending, size: bytes.length, sha256: sha256(bytes) }
    }),
  )
  const [row] = await db
    .insert(uploads)
    .values({
      ...{ id, ownerId, category, contentType, file, filename, sizes, maker: 'person' as const },
      ...{ key: newKey({ category, contentType }, filename), state: 'ready' as const },
      ...{ declaredSize: bytes.length, size: bytes.length },
      sha256: sha256(bytes),
      ...{ expiresAt: at, createdAt: at, changedAt: at },
      ...fields,
    })
    .returning()
  const upload = row as typeof uploads.$inferSelect
  return { ...upload, url: publicUrl(upload.key) }
}
