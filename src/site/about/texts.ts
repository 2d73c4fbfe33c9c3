import { config } from '@/config/config'
import { now } from '@/core/clock'
import { log } from '@/core/log'
import { VERSION } from '@/core/version'
import { db } from '@/db/client'
import { countListedGroups } from '@/modules/community/groups/queries'
import { countListedEvents } from '@/modules/gatherings/events/list/queries'
import { countPublicPeople } from '@/modules/people/users/queries'
import { stats } from '@/site/parts/list'
import { type Html, html } from '@/web/html'
import { markdown, titled } from '@/web/markdown'
import type { LoadOpen } from '@/web/open-page'
import type { Words } from '@/words/words'

/** Public figures of the community. */
export async function numbersOf() {
  const [groups, events, people] = await Promise.all([
    countListedGroups(db),
    countListedEvents(db, now()),
    countPublicPeople(db),
  ])
  return { groups, ...events, people }
}

export type Numbers = Awaited<ReturnType<typeof numbersOf>>

type Text = { title: string; body: Html | Html[] }

for (const [name, written] of Object.entries(config.site.texts))
  if (written?.trim() === '') log.warn(`the file for /${name} is empty: the usual page is shown`)

/** The operator's text, or our default. */
const page =
  (name: keyof typeof config.site.texts, unwritten: (words: Words) => Text | Promise<Text>): LoadOpen =>
  async (_entry, { words }) => {
    const written = config.site.texts[name]?.trim() ? config.site.texts[name] : null
    const { title, body } = written === null ? await unwritten(words) : own(written, words.frame[name])
    return {
      title,
      width: 'wide',
      canonical: `/${name}`,
      description: name === 'about' ? config.site.tagline || words.about.what(config.siteName) : undefined,
      about: [],
      body: html`<article class="prose"${written !== null && html` dir="auto"`}>
<h1>${title}</h1>
${body}
</article>`,
    }
  }

function own(written: string, usual: string): Text {
  const { title, rest } = titled(written)
  return { title: title ?? usual, body: markdown(rest) }
}

export const showAbout = page('about', async (words) => {
  const { about } = words
  const { groups, upcoming, past, people } = await numbersOf()
  return {
    title: about.title(config.siteName),
    body: html`${config.site.tagline && html`<p class="lead" dir="auto">${config.site.tagline}</p>`}
<p>${about.what(config.siteName)}</p>
<h2>${about.numbers}</h2>
${stats(words, [
  [about.groups, groups],
  [about.upcoming, upcoming],
  [about.past, past],
  [about.people, people],
])}
<h2>${about.howItWorks}</h2>
<ol>${about.steps.map((step) => html`<li>${step}</li>`)}</ol>
<p><a class="button" href="/events">${about.seeEvents}</a></p>
<h2>${about.madeOf}</h2>
<p>${about.software(VERSION)}</p>
<p><a href="/docs">${about.api}</a> · <a href="/feeds/events.ics">${about.feed}</a></p>`,
  }
})

export const showTerms = page('terms', ({ about }) => ({
  title: about.terms,
  body: html`<p>${about.noTerms}</p>
<p>${about.noTermsMore}</p>`,
}))

export const showPrivacy = page('privacy', ({ about }) => ({
  title: about.privacy,
  body: html`<p class="lead">${about.privacyLead}</p>
${(
  [
    [about.kept, about.keptList],
    [about.cookies, about.cookiesList],
    [about.others, about.othersList],
    [about.end, [about.endText]],
  ] as const
).map(
  ([title, sentences]) => html`<h2>${title}</h2>
<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
`,
)}`,
}))
