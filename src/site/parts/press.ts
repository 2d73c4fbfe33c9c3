import type { Caller } from '@/core/caller'
import { formToken } from '@/web/form-token'
import { type Html, html, type Piece } from '@/web/html'

type Press = {
  /** The name of the page's form handler, and its hidden fields. */
  deed: string
  fields?: Readonly<Record<string, string>>
  label: Piece
  kind?: string
}

/** The address of a form on this page; keeps the query. */
const sentTo = (deed: string, keep?: URLSearchParams): string => {
  const query = new URLSearchParams(keep)
  for (const name of ['do', 'done', 'about']) query.delete(name)
  query.set('do', deed)
  return `?${query}`
}

/** A form on this page for the deed of this name. */
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

/** A button that acts at once. */
export const press = (
  caller: Caller,
  { label, kind = 'plain small', ...more }: Press & { keep?: URLSearchParams },
): Html => deedForm(caller, { ...more, body: html`<button class="button ${kind}">${label}</button>` })

type Danger = Omit<Press, 'kind'> & {
  /** The summary of the fold. */
  title: Piece
  /** What will be lost. */
  text: Piece
  /** More text or fields. */
  more?: Html
}

/** A confirmation for irreversible actions. */
export const danger = (caller: Caller, { title, text, label, more, ...deed }: Danger): Html =>
  html`<details class="danger"><summary>${title}</summary>
<p>${text}</p>
${deedForm(caller, { ...deed, body: html`${more}<p class="after"><button class="button danger">${label}</button></p>` })}
</details>`
