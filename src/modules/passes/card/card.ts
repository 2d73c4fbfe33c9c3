import { clipped } from '@/core/text'
import { type OwnedPass, ownerShown } from '@/modules/passes/passes/owner-shown'
import { type Html, html } from '@/web/html'
import { loginPath } from '@/web/login'
import type { Words } from '@/words/words'
import { type Card, documentOf, joined, partOf } from './document'
import { faceOf, ownPicture } from './face'
import { CHECK, LINKED, PLUS, SAVE } from './notes'
import { themeOf } from './own-pass'
import { linksOf } from './vcard'

/** A signed-in visitor of someone else's pass. */
export type Person = {
  formToken: Html
  connected: boolean
  /** Whether this request connected them. */
  recordedNow: boolean
  follows: boolean
}

type Deed = { text: string; icon: Html } & ({ href: string } | { post: string; token: Html })

/** The part of the card that depends on the pass; identical for all visitors without a session. */
export function strangerPart(known: OwnedPass, words: Words): string {
  const said = words.passes
  const { id } = known.pass
  const signIn = loginPath(`/pass/${id}`)
  const connect = { text: said.stayConnected, icon: LINKED, href: signIn }
  const follow = known.owner.isPublic && { text: said.follow, icon: PLUS, href: signIn }
  return partOf(
    cardOf(known, words, {
      contact: saveContact(id, words),
      connect,
      follow,
      below: html`<p class="quiet">${follow && said.followSignsIn}${said.keepsPeople}</p>`,
    }),
  )
}

export const strangerCard = (known: OwnedPass, words: Words): Card => ({
  status: 200,
  body: joined(strangerPart(known, words), words.language),
})

export function personCard(
  known: OwnedPass,
  { formToken, connected, recordedNow, follows }: Person,
  words: Words,
): Card {
  const said = words.passes
  const { pass, owner } = known
  const deed = (text: string, icon: Html, name: string): Deed => ({
    text,
    icon,
    post: `/pass/${pass.id}/${name}`,
    token: formToken,
  })
  return documentOf(
    200,
    words,
    cardOf(known, words, {
      state: [
        connected && state(recordedNow ? said.connectedNow : said.connected),
        owner.isPublic && follows && state(said.youFollow),
      ],
      contact: saveContact(pass.id, words),
      connect: !connected && deed(said.connect, LINKED, 'connect'),
      follow: owner.isPublic && !follows && deed(said.follow, PLUS, 'follow'),
    }),
  )
}

const saveContact = (id: string, { passes }: Words): Deed => ({
  text: passes.save,
  icon: SAVE,
  href: `/pass/${id}/contact.vcf`,
})

const state = (text: string) => html`<p class="state">${CHECK}${text}</p>`

type Doing = {
  state?: (Html | false)[]
  contact: Deed
  connect: Deed | false
  follow: Deed | false
  below?: Html
}

/** The owner chooses the primary action. */
const ORDER = {
  profile: ['contact', 'connect', 'follow'],
  contact: ['contact', 'connect', 'follow'],
  follow: ['follow', 'connect', 'contact'],
} as const

function cardOf(known: OwnedPass, { passes }: Words, doing: Doing) {
  const { action } = known.pass
  const { name, username, bio, location, socialLinks } = ownerShown(known.owner)
  const deeds = ORDER[action].map((deed) => doing[deed]).filter((deed) => deed !== false)
  const act = html`<section class="act" aria-label="${passes.deeds}">
${deeds.map((deed, i) => button(deed, i === 0))}${doing.below}</section>`
  const links = linksOf(socialLinks)
  const about =
    (bio || links) &&
    html`<section class="about" aria-label="${passes.about}">
${bio && html`<p class="bio" dir="auto">${clipped(bio, 500)}</p>`}${links}</section>`
  const shownName = clipped(name, 200)
  return {
    title: shownName,
    theme: themeOf(known),
    layout: 'wide',
    main: html`<header class="who">
<div class="cover">${design(known)}</div>
${faceOf(known.owner)}
<h1 dir="auto"${shownName.length > 24 && html` class="long"`}>${shownName}</h1>
${
  (username || location) &&
  html`<p class="facts">${username && html`<span>@${username}</span>`}${location && html`<span dir="auto">${clipped(location, 100)}</span>`}</p>`
}${doing.state}</header>
${action === 'profile' ? [about, act] : [act, about]}`,
  }
}

function design({ design }: OwnedPass): Html | false {
  const path = ownPicture(design?.imageUrl)
  return path !== undefined && html`<img src="${path}?w=640" alt="">`
}

function button(deed: Deed, isFirst: boolean): Html {
  const kind = isFirst ? 'button first' : 'button'
  return 'href' in deed
    ? html`<a class="${kind}" href="${deed.href}">${deed.icon}${deed.text}</a>\n`
    : html`<form method="post" action="${deed.post}">${deed.token}<button class="${kind}">${deed.icon}${deed.text}</button></form>\n`
}
