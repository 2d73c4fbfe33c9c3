import { get, type Json } from './api'

/** Every item of a list, page by page. Its path says how long a page is; `between` happens after each. */
export async function walk(
  path: `${string}?${string}`,
  token: string,
  between: () => Promise<unknown> = async () => {},
): Promise<Json[]> {
  const items: Json[] = []
  let cursor = ''
  do {
    const { body } = await get(`${path}${cursor && `&cursor=${cursor}`}`, { token })
    items.push(...body.data)
    cursor = body.pagination.nextCursor ?? ''
    await between()
  } while (cursor)
  return items
}
