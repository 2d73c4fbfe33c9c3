import { type Html, html } from '@/web/html'

type Find = {
  label: string
  button: string
  value: string
  keep?: Readonly<Record<string, string>>
  isFirst?: boolean
}

export const find = ({ label, button, value, keep = {}, isFirst = false }: Find): Html =>
  html`<form class="find" role="search">${Object.entries(keep).map(
    ([name, kept]) => kept !== '' && html`<input type="hidden" name="${name}" value="${kept}">`,
  )}<label class="hidden" for="search">${label}</label><input type="search" id="search" name="search" value="${value}" placeholder="${label}" maxlength="100" autocomplete="off"${isFirst && html` autofocus`}>
<button class="button plain">${button}</button></form>
`

type Chip = { value: string; label: string }

/** The options of one filter as links. */
export const chips = (label: string, name: string, chosen: string, options: readonly Chip[]): Html =>
  html`<nav aria-label="${label}"><ul class="chips" role="list">${options.map(
    ({ value, label: text }) =>
      html`<li><a class="chip" href="?${value && `${name}=${value}`}"${value === chosen && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></nav>
`
