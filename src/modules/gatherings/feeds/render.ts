import { notFound } from '@/core/errors'
import type { FeedEvent, FeedHead, Format, Renderer } from './feed'

const RENDERERS: Partial<Record<Format, () => Promise<Renderer>>> = {}

/** Libraries of formats are loaded when the first reader asks for one: they would only delay the start. */
export async function render(format: Format, head: FeedHead, events: FeedEvent[]): Promise<string> {
  const renderer = await RENDERERS[format]?.()
  if (renderer === undefined) throw notFound('Feed')
  return renderer(head, events)
}
