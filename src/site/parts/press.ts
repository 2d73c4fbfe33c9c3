import type { Caller } from '@/core/caller'
import { formToken } from '@/web/form-token'
import { type Html, html, type Piece } from '@/web/html'

type Press = {
  /** The name of the deed of this page, and of the fields that go with it unseen. */
  deed: string
  fields?: Readonly<Record<string, string>>
  label: Piece
  kind?: string
}

/** The address of a form of this page; what it was asked with stays. */
const sentTo = (deed: string, keep?: URLSearchParams): string => {
  const query = new URLSearchParams(keep)
  for (const name of ['do', 'done', 'about']) query.delete(name)
  query.set('do', deed)
  return `?${query}`
}

/** A form of this page, which does what the deed of this name does. */
export const deedForm = (
  caller: Caller,
  {
    deed,
    fields = {},
    body,
    keep,
    hasFile,
  }: Pick<Press, 'deed' | 'fields'> & { body: Html; keep?: URLSearchParams; hasFile?: boolean },
): Html => html`<form method="post" action="${sentTo(deed, keep)}"${hasFile && html` enctype="multipart/form-data"`}>${formToken(caller)}${Object.entries(
  fields,
).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${body}
</form>`

/** A button that does something at once. */
export const press = (
  caller: Caller,
  { label, kind = 'plain small', ...more }: Press & { keep?: URLSearchParams },
): Html => deedForm(caller, { ...more, body: html`<button class="button ${kind}">${label}</button>` })

type Danger = Omit<Press, 'kind'> & {
  /** What opens the question. */
  title: Piece
  /** What will be gone. */
  text: Piece
  /** What has to be said or typed besides. */
  more?: Html
}

/** What cannot be taken back: it says what will be gone, and asks once. */
export const danger = (caller: Caller, { title, text, label, more, ...deed }: Danger): Html =>
  html`<details class="danger"><summary>${title}</summary>
<p>${text}</p>
${deedForm(caller, { ...deed, body: html`${more}<p class="after"><button class="button danger">${label}</button></p>` })}
</details>`
