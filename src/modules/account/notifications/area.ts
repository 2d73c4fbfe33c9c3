import { Elysia } from 'elysia'
import { gone } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { db } from '@/db/client'
import { isForm, readFormPairs } from '@/http/form-body'
import { DOCUMENT } from '@/http/route-traits'
import { serve } from '@/http/serve'
import type { Visit } from '@/http/visit'
import { findReader, setSwitches } from '@/mail/recipient-queries'
import { type Subscription, subscriptionOf } from '@/mail/unsubscribe'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { message } from '@/web/message'
import { type Params, page } from '@/web/page'
import type { Words } from '@/words/words'
import { readNotifications, updateNotifications } from './actions'

/** The link to all mail settings. */
const settingsLink = ({ mail }: Words) => ({ href: '/settings/mail', label: mail.settings })

/** Asks first: mail scanners open links too. */
async function showUnsubscribe(visit: Visit, { token = '' }: Params): Promise<Page> {
  const { kind, userId } = meant(token)
  if ((await findReader(db, userId)) === undefined) throw noSuchAccount()
  const words = wordsFor(visit)
  const { unsubscribe, kinds } = words.mail
  return message({
    title: unsubscribe.title,
    text: unsubscribe.text(kinds[kind].name),
    to: html`${button(unsubscribe.button, STOP)}${below(words)}`,
  })
}

/**
 * Switches a kind of mail off or on. Mail programs post this without a cookie or page (RFC 8058): the address itself proves
 * possession of the mail.
 */
async function unsubscribe(visit: Visit, { token = '' }: Params): Promise<Page> {
  const { kind, userId } = meant(token)
  // Any other body comes from a mail program.
  const isOn = isForm(visit.request) && (await readFormPairs(visit.request)).has('undo')
  if (!(await setSwitches(db, userId, [{ kind, isOn }]))) throw noSuchAccount()
  const words = wordsFor(visit)
  const { stopped, stoppedText, undo, resumed, resumedText, button: stop } = words.mail.unsubscribe
  const { name } = words.mail.kinds[kind]
  return message({
    title: isOn ? resumed : stopped,
    text: isOn ? resumedText(name) : stoppedText(name),
    to: html`${isOn ? button(stop, STOP, 'plain') : button(undo, UNDO, 'plain')}${below(words)}`,
  })
}

const noSuchAccount = () => gone(refusals.unsubscribeLinkDamaged)

function meant(token: string): Subscription {
  const subscription = subscriptionOf(token)
  if (subscription === null) throw noSuchAccount()
  return subscription
}

/** The button posts what a mail program would. */
const STOP = html`<input type="hidden" name="List-Unsubscribe" value="One-Click">`
const UNDO = html`<input type="hidden" name="undo" value="1">`

const button = (label: string, said: Html, kind = ''): Html =>
  html`<form method="post">${said}<button class="button wide ${kind}">${label}</button></form>`

const below = (words: Words): Html => {
  const { href, label } = settingsLink(words)
  return html`\n<p class="small"><a href="${href}">${label}</a></p>`
}

/** Holding the mail is enough, without sign-in. */
const ANYONE = { traits: DOCUMENT, back: settingsLink }

const notificationRoutes = new Elysia({ tags: ['User'] })
  .get('/v1/profile/notifications', ...serve(readNotifications))
  .patch('/v1/profile/notifications', ...serve(updateNotifications))
  .get('/unsubscribe/:token', ...page(showUnsubscribe, ANYONE))
  .post('/unsubscribe/:token', ...page(unsubscribe, ANYONE))

export const notificationsArea = {
  routes: notificationRoutes,
}
