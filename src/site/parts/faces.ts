import { type Html, html } from '@/web/html'
import { face } from './face'

type Person = { id: string; username: string; name: string; avatarUrl: string | null }

export const faces = (people: readonly Person[]): Html =>
  html`<ul class="faces named" role="list">${people.map(
    (person) =>
      html`<li><a href="/u/${person.username}">${face(person)}<span dir="auto">${person.name}</span></a></li>`,
  )}</ul>`
