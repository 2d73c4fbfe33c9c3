import { type Html, html } from '@/web/html'
import { face } from './face'

type Person = {
  id: string
  name: string
  username: string | null
  avatarUrl: string | null
  isPublic?: boolean
}

/** The head of a row: a person with details below the name. */
export const person = ({ id, name, username, avatarUrl, isPublic = true }: Person, more?: Html): Html =>
  html`${face({ id, name, avatarUrl }, 'small')}
<div class="what"><p class="name" dir="auto">${username === null || !isPublic ? name : html`<a href="/u/${username}">${name}</a>`}</p>
<p class="quiet small">${username !== null && html`<bdi>@${username}</bdi>${more && ' '}`}${more}</p></div>
`
