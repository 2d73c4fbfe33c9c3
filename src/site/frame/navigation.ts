import { type Html, html } from '@/web/html'
import type { Section } from '@/web/surroundings'
import type { Words } from '@/words/words'

const SECTIONS = [
  ['events', '/events'],
  ['groups', '/groups'],
  ['people', '/people'],
  ['badges', '/badges'],
  ['leaderboard', '/leaderboard'],
] as const

export const navigation = ({ frame }: Words, section: Section | undefined): Html =>
  html`<nav class="sections" aria-label="${frame.main}"><ul role="list">${SECTIONS.map(
    ([name, path]) =>
      html`<li><a href="${path}"${section === name && html` aria-current="page"`}>${frame[name]}</a></li>`,
  )}</ul></nav>`
