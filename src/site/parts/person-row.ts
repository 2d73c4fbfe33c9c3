import { type Html, html } from '@/web/html'
import { day } from '@/web/time'
import type { Words } from '@/words/words'
import { face } from './face'

/** A date without its time. */
export const sinceWhen = (at: string, words: Words): Html => day(new Date(at), words)

type Person = { id: string; username: string; name: string; avatarUrl: string | null }

/** A person in a list, with a date. */
export const personRow = (
  person: Person,
  { label, at }: { label: string; at: string | null },
  words: Words,
): Html =>
  html`<li>${face(person)}<div class="what"><p class="name" dir="auto"><a href="/u/${person.username}">${person.name}</a></p>
<p class="quiet small"><bdi>@${person.username}</bdi>${at !== null && html` · ${label} ${sinceWhen(at, words)}`}</p></div></li>
`
