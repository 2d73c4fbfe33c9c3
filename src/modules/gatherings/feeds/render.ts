import type { FeedEvent, FeedHead, Format, Renderer } from './feed'

const RENDERERS: Record<Format, () => Promise<Renderer>> = {
  ics: async () => (await import('./calendar/calendar')).renderCalendar,
  rss: async () => (await import('./news/rss')).renderRss,
  atom: async () => (await import('./news/atom')).renderAtom,
  json: async () => (await import('./news/json')).renderJson,
}

/** Libraries of formats are loaded when the first reader asks for one: they would only delay the start. */
export const render = async (format: Format, head: FeedHead, events: FeedEvent[]): Promise<string> =>
  (await RENDERERS[format]())(head, events)
