import { join } from 'node:path'
import { notFound } from '@/core/errors'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'

export const ICON_PATHS = { 192: '/icons/192.png', 512: '/icons/512.png' } as const

const HEADERS = { 'content-type': 'image/png', 'cache-control': 'public, max-age=604800' }
const SIZES = new Set(['192.png', '512.png'])

/** The home screen icon, with a safe margin for masks. */
export async function sendIcon(visit: Visit, { name = '' }: Record<string, string>): Promise<Response> {
  if (!SIZES.has(name)) throw notFound('Page')
  const bytes = await Bun.file(join(import.meta.dir, 'icons', name)).bytes()
  return respondTagged(visit, tagged(bytes), HEADERS)
}
