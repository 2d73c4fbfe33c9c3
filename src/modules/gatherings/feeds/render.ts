import type { FeedEvent, FeedHead, Format, Renderer } from './feed'

const RENDERERS: Record<Format, () => Promise<Renderer>> = {
  ics: async () => (await import('./calendar/calendar')).renderCalendar,
  rss: async () => (await import('./news/rss')).renderRss,
  atom: async () => (await import('./news/atom')).renderAtom,
  json: async () => (await import('./news/json')).renderJson,
}

/** Loads format libraries on first use, to keep the start fast. */
export const render = async (format: Format, head: FeedHead, events: FeedEvent[]): Promise<string> =>
  (await RENDERERS[format]())(head, events)
