import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { press } from '@/site/parts/press'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import type { Managed } from './occasion'

/** The button that publishes a draft. For an event in the past it asks once. */
export function publishPress(caller: Caller, event: Managed, { manage }: Words, kind: string): Html {
  const button = press(caller, {
    deed: 'publish',
    fields: { status: 'published' },
    label: manage.publish,
    kind,
  })
  if (new Date(event.dateTime) > now()) return button
  return html`<details><summary>${manage.publish}</summary>
<p>${manage.isPast}</p>
${button}</details>`
}
