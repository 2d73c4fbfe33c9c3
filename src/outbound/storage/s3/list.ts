import { isObjectName } from '../object-names'
import { type OnStray, StorageDown, type StoredObject } from '../storage'
import type { S3Client } from './client'
import { unreached } from './failures'

const PAGE = 1000

/** Lists the objects below the prefix, page by page; skips foreign names. */
export async function* listBucket(
  client: S3Client,
  root: string,
  prefix: string,
  { page = PAGE, onStray = () => {} }: { page?: number; onStray?: OnStray | undefined } = {},
): AsyncGenerator<StoredObject> {
  let next: string | undefined
  do {
    const response = await client.call({
      method: 'GET',
      key: '',
      query: {
        'list-type': '2',
        prefix: root + prefix,
        'max-keys': String(page),
        ...(next !== undefined && { 'continuation-token': next }),
      },
    })
    const text = await textOf(response)
    if (!/<ListBucketResult[\s>]/.test(text))
      throw new StorageDown('The storage gives no list of its objects')
    yield* objectsIn(text, root, onStray)
    next = textIn(text, 'NextContinuationToken')
  } while (next !== undefined)
}

function* objectsIn(text: string, root: string, onStray: OnStray): Generator<StoredObject> {
  for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = textIn(entry, 'Key') ?? ''
    const name = key.slice(root.length)
    if (!key.startsWith(root)) continue
    if (isObjectName(name))
      yield {
        name,
        size: Number(textIn(entry, 'Size')),
        modifiedAt: new Date(textIn(entry, 'LastModified') ?? 0),
      }
    // Bucket consoles create empty objects as folders.
    else if (name !== '' && !name.endsWith('/')) onStray(name)
  }
}

const textOf = async (response: Response | null): Promise<string> =>
  (await response?.text().catch((error) => Promise.reject(unreached(error)))) ?? ''

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of an element. Our names need no XML escapes, but tokens may. */
const textIn = (text: string, element: string) =>
  new RegExp(`<${element}>([^<]*)</${element}>`)
    .exec(text)?.[1]
    ?.replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
