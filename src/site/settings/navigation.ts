import { type Html, html } from '@/web/html'
import type { SettingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { PAGES, settingsPath } from './addresses'

/** On a desktop all pages of settings; on a phone the way up to the overview, which lists them. */
export const settingsNavigation = ({ settings }: Words, here: SettingsPage): Html =>
  html`<nav class="side" aria-label="${settings.title}"><ul role="list">${PAGES.map(
    (page) =>
      html`<li><a href="${settingsPath(page)}"${page === here && html` aria-current="page"`}>${settings.pages[page]}</a></li>`,
  )}</ul></nav>${
    here !== 'overview' &&
    html`\n<p class="up"><a href="${settingsPath('overview')}">${settings.back}</a></p>`
  }`
