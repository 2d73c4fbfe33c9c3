import type { OwnedPass } from '@/modules/passes/passes/owned-pass'
import { ownerShown } from '@/modules/passes/passes/owner-shown'
import { type Html, html } from '@/web/html'
import { loginPath } from '@/web/login'
import { clipped } from './clipped'
import { type Card, documentOf, joined, partOf } from './document'
import { faceOf, ownPicture } from './face'
import { CHECK, LINKED, PLUS, SAVE } from './icons'
import { linksOf } from './links'
import { themeOf } from './theme'

/** Somebody signed in who taps another's pass. */
export type Person = {
  /** `formToken` of `web/form-token.ts`. */
  formToken: Html
  connected: boolean
  /** Whether this very tap did it. */
  recordedNow: boolean
  follows: boolean
}

type Deed = { text: string; icon: Html } & ({ href: string } | { post: string; token: Html })

/** What is a stranger's card's own; the same for every stranger. `joined` makes the document of it. */
export function strangerPart(known: OwnedPass): string {
  const { id } = known.pass
  const signIn = loginPath(`/pass/${id}`)
  const connect = { text: 'Sign in to stay connected', icon: LINKED, href: signIn }
  const follow = known.owner.isPublic && { text: 'Follow', icon: PLUS, href: signIn }
  return partOf(
    cardOf(known, {
      contact: saveContact(id),
      connect,
      follow,
      below: html`<p class="quiet">${follow && 'Follow asks you to sign in as well. '}Signing in with this browser keeps the people whom you met with it.</p>`,
    }),
  )
}

export const strangerCard = (known: OwnedPass): Card => ({ status: 200, body: joined(strangerPart(known)) })

export function personCard(known: OwnedPass, { formToken, connected, recordedNow, follows }: Person): Card {
  const { pass, owner } = known
  const deed = (text: string, icon: Html, name: string): Deed => ({
    text,
    icon,
    post: `/pass/${pass.id}/${name}`,
    token: formToken,
  })
  return documentOf(
    200,
    cardOf(known, {
      state: [
        connected && state(recordedNow ? 'You are now connected' : 'You are connected'),
        owner.isPublic && follows && state('You follow this person'),
      ],
      contact: saveContact(pass.id),
      connect: !connected && deed('Connect', LINKED, 'connect'),
      follow: owner.isPublic && !follows && deed('Follow', PLUS, 'follow'),
    }),
  )
}

const saveContact = (id: string): Deed => ({
  text: 'Save contact',
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

/** Which comes first is for the owner to say. */
const ORDER = {
  profile: ['contact', 'connect', 'follow'],
  contact: ['contact', 'connect', 'follow'],
  follow: ['follow', 'connect', 'contact'],
} as const

function cardOf(known: OwnedPass, doing: Doing) {
  const { action } = known.pass
  const { name, username, bio, location, socialLinks } = ownerShown(known.owner)
  const deeds = ORDER[action].map((deed) => doing[deed]).filter((deed) => deed !== false)
  const act = html`<section class="act" aria-label="What you can do">
${deeds.map((deed, i) => button(deed, i === 0))}${doing.below}</section>`
  const links = linksOf(socialLinks)
  const about =
    (bio || links) &&
    html`<section class="about" aria-label="About">
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

/** The picture of a design, where it has one. */
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
