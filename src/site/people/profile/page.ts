import { config } from '@/config/config'
import { readUser } from '@/modules/account/profiles/actions'
import type { PublicUserProfile } from '@/modules/account/profiles/schema'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { ownPicture } from '@/modules/passes/card/face'
import type { UserRow } from '@/modules/people/users/queries'
import { visiblePerson } from '@/modules/people/users/visible'
import { type Face, medal, pointsIn } from '@/site/parts/medal'
import { face, faces, idsOf, type Known, knownPeople, sinceWhen } from '@/site/parts/person'
import { openGraph } from '@/site/parts/sharing'
import { ask } from '@/web/ask'
import { jsonLd } from '@/web/head'
import { type Html, html } from '@/web/html'
import type { LoadOpen } from '@/web/open-page'
import { excerpt, linked, webAddress } from '@/web/prose'
import { slot } from '@/web/slots'
import { PEOPLE_SHOWN } from '@/web/topics'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { actsForStrangers } from './acts'

/** A profile, as far as visible to the reader. */
export const showProfile: LoadOpen = async (entry, { params, words }) => {
  const profile = await ask(entry, readUser, params)
  const caller = typeof entry.visitor === 'object' ? entry.visitor : null
  const person = await visiblePerson(caller, profile.username)
  const met = await knownPeople(profile.recentConnections)
  const name = profile.name ?? profile.username
  const path = `/u/${profile.username}`
  const description = excerpt(profile.bio, 160) || name
  return {
    title: name,
    width: 'wide',
    section: 'people',
    theme: profile.themeColor ?? undefined,
    canonical: person.isPublic ? path : undefined,
    description,
    head: [
      openGraph({ title: name, description, path }, words),
      jsonLd({
        '@type': 'ProfilePage',
        mainEntity: { '@type': 'Person', name, alternateName: profile.username, url: config.baseUrl + path },
      }),
    ],
    about: [
      person.id,
      PEOPLE_SHOWN,
      ...idsOf(met),
      ...[
        'group.updated',
        'group.deleted',
        'badge.updated',
        'badge.deleted',
        'badge.settled',
        'achievements.changed',
      ],
    ],
    body: html`${hiddenNotice(person, caller?.userId === person.id, words)}<div class="banner low">${coverOf(person.id, profile.heroImageUrl, '(min-width: 72em) 72rem, 100vw')}</div>
<div class="columns"><div>
${head(profile, person, words)}
${badgeList(profile, words)}
${groupList(profile, words)}
${portfolio(profile, words)}
</div>
<aside class="stack">
${slot('acts', actsForStrangers(words))}
${metList(profile, met, words)}
${elsewhere(profile, words)}
</aside></div>`,
  }
}

function hiddenNotice({ isPublic, suspendedAt }: UserRow, isSelf: boolean, { people }: Words) {
  if (isPublic) return null
  const text = isSelf ? people.private : suspendedAt === null ? people.hidden : people.suspended
  return html`<p class="notice">${text}</p>\n`
}

function head(profile: PublicUserProfile, person: UserRow, words: Words): Html {
  const { people, language } = words
  const name = profile.name ?? profile.username
  const count = (n: number) => n.toLocaleString(LOCALES[language])
  const stat = (label: string, value: number, to?: string) =>
    html`<div><dt>${to ? html`<a href="/u/${profile.username}/${to}">${label}</a>` : label}</dt><dd>${count(value)}</dd></div>`
  return html`<div class="title person">${face({ id: person.id, name, avatarUrl: profile.avatarUrl }, 'large')}
<div><h1 dir="auto">${name}</h1>
<p class="quiet"><bdi>@${profile.username}</bdi>${profile.location && html` · <bdi>${profile.location}</bdi>`}${
    profile.memberSince !== null && html` · ${people.since} ${sinceWhen(profile.memberSince, words)}`
  }</p></div></div>
${profile.bio && html`<p class="bio letter prose" dir="auto">${linked(profile.bio)}</p>`}
<dl class="stats">${[
    stat(people.xp, profile.xpScore),
    stat(people.followers, profile.followerCount, 'followers'),
    stat(people.follows, profile.followingCount, 'following'),
  ]}</dl>`
}

type Shown = Face & { name: string; points: number }

const badgeTiles = (badges: readonly Shown[], words: Words) =>
  html`<ul class="medals" role="list">${badges.map(
    (badge) =>
      html`<li><a href="/badges/${badge.slug}">${medal(badge)}<span dir="auto">${badge.name}</span><span class="quiet small number">${pointsIn(badge.points, words)}</span></a></li>\n`,
  )}</ul>`

function badgeList({ badges, groupBadges }: PublicUserProfile, words: Words): Html {
  const { people } = words
  return html`<section><h2>${people.badges}</h2>
${
  badges.length === 0 && groupBadges.length === 0
    ? html`<p class="quiet">${people.noBadges}</p>`
    : badges.length > 0 && badgeTiles(badges, words)
}${groupBadges.length > 0 && html`<p class="quiet small">${people.groupPoints}</p>`}${groupBadges.map(
  ({ group, badges: given }) => html`<h3 dir="auto"><a href="/groups/${group.urlname}">${group.name}</a></h3>
${badgeTiles(given, words)}`,
)}</section>`
}

const groupList = ({ favoriteGroups }: PublicUserProfile, { people }: Words) =>
  favoriteGroups.length > 0 &&
  html`<section><h2>${people.groups}</h2>
<ul class="chips" role="list">${favoriteGroups.map(({ slug, name, photoUrl }) => {
    const picture = ownPicture(photoUrl)
    return html`<li><a class="chip" href="/groups/${slug}">${picture && html`<img src="${picture}?w=160" alt="" width="24" height="24" loading="lazy">`}<span dir="auto">${name}</span></a></li>`
  })}</ul></section>`

const portfolio = ({ portfolioItems }: PublicUserProfile, { people }: Words) =>
  portfolioItems.length > 0 &&
  html`<section><h2>${people.made}</h2>
<ul class="tiles" role="list">${portfolioItems.map(({ id, title, description, url, imageUrl }) => {
    const href = webAddress(url)
    return html`<li><article class="tile">${coverOf(id, imageUrl, '(min-width: 40em) 20rem, 100vw')}
<div class="about"><div><h3 dir="auto">${href ? html`<a href="${href}" rel="noopener nofollow">${title}</a>` : title}</h3>
<p class="quiet small" dir="auto">${description}</p></div></div></article></li>\n`
  })}</ul></section>`

const metList = (
  { username }: PublicUserProfile,
  met: Known<PublicUserProfile['recentConnections'][number]>[],
  { people }: Words,
) =>
  met.length > 0 &&
  html`<section><h2>${people.recentlyMet}</h2>
${faces(met)}
<p><a href="/u/${username}/connections">${people.allMet}</a></p></section>`

function elsewhere({ socialLinks, githubUsername }: PublicUserProfile, { people }: Words) {
  const links = [
    ...(githubUsername ? [`https://github.com/${encodeURIComponent(githubUsername)}`] : []),
    ...(socialLinks ?? []),
  ].flatMap((address) => webAddress(address) ?? [])
  return (
    links.length > 0 &&
    html`<section><h2>${people.links}</h2>
<ul>${links.map(
      (href) =>
        html`<li><a href="${href}" rel="me noopener nofollow">${href.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a></li>`,
    )}</ul></section>`
  )
}
