import { html } from '@/web/html'
import { linked, paragraphs } from '@/web/prose'
import { webAddress } from '@/web/web-address'
import type { FeedEvent } from '../feed'
import { answered, where } from './words'

type Shown = { event: FeedEvent; lasts: string; picture: string | null }

/** What a reader shows of an event: all markup is ours, whatever people typed is text. */
export function content({ event, lasts, picture }: Shown): string {
  const join = webAddress(event.onlineUrl)
  return html`${
    event.status === 'cancelled' &&
    html`<p><strong>Cancelled.</strong>${event.cancelReason && [' ', linked(event.cancelReason)]}</p>`
  }${event.answer && html`<p><strong>${answered(event.answer)}</strong></p>`}<p>When: ${lasts}</p><p>Where: ${where(event)}</p>${
    join && html`<p>Join: <a href="${join}">${join}</a></p>`
  }<p>Group: ${event.group.name}</p>${picture && html`<p><img src="${picture}" alt=""></p>`}${paragraphs(
    event.description ?? '',
  )}${event.tags.length > 0 && html`<p>Tags: ${event.tags.join(', ')}</p>`}`.text
}
