import type { Visit } from '@/http/visit'
import type { Words } from '@/words/words'
import { type Html, html } from './html'
import { wordsFor } from './language'
import type { Page } from './layout'
import { around } from './surroundings'

export type SettingsPage = keyof Words['settings']['pages']

type Inner = Omit<Page, 'width' | 'body' | 'title'> & { title?: string; body: Html }

/** A page of settings, with its navigation beside it on a desktop and above it on a phone. */
export function settingsPage(visit: Visit, here: SettingsPage, { title, body, ...rest }: Inner): Page {
  const words = wordsFor(visit)
  const { settings } = words
  const heading = title ?? (here === 'overview' ? settings.title : settings.pages[here])
  return {
    ...rest,
    width: 'wide',
    title: heading,
    body: html`<div class="settings">
${around().settings(words, here)}
<div class="inner">
<h1>${heading}</h1>
${body}
</div>
</div>`,
  }
}
