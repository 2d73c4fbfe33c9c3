import { inChild } from './in-child'
import type { PageRendering } from './page-rendering'
import type { Surroundings } from './server'

export const PAGES = { name: 'pages: made anew after a change', most: 3 }

export async function measurePages(
  surroundings: Surroundings,
  eventId: string,
  say: (what: string) => void,
): Promise<PageRendering[]> {
  say('pages, made anew')
  return inChild<PageRendering[]>('page-rendering.ts', surroundings, eventId)
}
