import { type Html, html } from '@/web/html'
import { day } from '@/web/time'
import type { Words } from '@/words/words'
import { face } from './face'

/** The day since which something is so. Nobody asks for its hour. */
export const sinceWhen = (at: string, words: Words): Html => day(new Date(at), words)

type Person = { id: string; username: string; name: string; avatarUrl: string | null }

/** A person in a list, and since when they are in it. */
export const personRow = (
  person: Person,
  { label, at }: { label: string; at: string | null },
  words: Words,
): Html =>
  html`<li>${face(person)}<div class="what"><p class="name" dir="auto"><a href="/u/${person.username}">${person.name}</a></p>
<p class="quiet small"><bdi>@${person.username}</bdi>${at !== null && html` · ${label} ${sinceWhen(at, words)}`}</p></div></li>
`
