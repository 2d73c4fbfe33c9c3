import { AppError, isAppError } from '@/core/errors'
import { perObject } from '@/core/memo'
import { prefersHtml } from '@/http/accept'
import { refuse } from '@/http/refuse'
import { JSON_TYPE, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { formToken } from '@/web/form-token'
import { wordsFor } from '@/web/language'
import { LANGUAGES, type Language } from '@/words/language'
import { wordsIn } from '@/words/words'
import { personCard, strangerPart } from '../card/card'
import { CARD_HEADERS, joinedBytes } from '../card/document'
import { blankTagPage, refusalPage } from '../card/notes'
import { ownPassPage } from '../card/own-pass'
import { isOwned, type OwnedPass, ownerShown } from '../passes/owner-shown'
import type { KnownPass } from '../passes/queries'
import type { Tapped } from './actions'
import { strangerCookie } from './stranger'

const JSON_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', vary: 'Accept' }
const HTML_HEADERS = { ...CARD_HEADERS, vary: 'Accept' }

export function sendTap(visit: Visit, tapped: Tapped): Response {
  const { known, connected, newStranger } = tapped
  const cookies = newStranger === undefined ? undefined : { 'set-cookie': strangerCookie(newStranger) }
  return prefersHtml(visit.request)
    ? respond(visit, 200, cardOf(visit, tapped), HTML_HEADERS, cookies)
    : respond(visit, 200, `${head(known)}${connected}}}`, JSON_HEADERS, cookies)
}

/** The JSON up to `connected`. Omits label and settings, which are private to the owner. */
const head = perObject(({ pass, design, owner }: KnownPass): string => {
  const { id, type, action } = pass
  const shown = {
    pass: {
      id,
      type,
      action,
      design: design && {
        name: design.name,
        imageUrl: design.imageUrl,
        modelUrl: design.modelUrl,
        themeColor: design.themeColor,
      },
    },
    owner: owner && ownerShown(owner),
  }
  return `{"data":${JSON.stringify(shown).slice(0, -1)},"connected":`
})

function cardOf(visit: Visit, { known, connected, met, person }: Tapped): string | Uint8Array {
  const words = wordsFor(visit)
  const token = typeof visit.visitor === 'object' ? formToken(visit.visitor) : null
  if (!isOwned(known)) return blankTagPage(known.pass.id, token, words).body
  if (met !== undefined) return ownPassPage(known, met, words).body
  if (person !== undefined && token !== null)
    return personCard(known, { formToken: token, connected, ...person }, words).body
  return joinedBytes(parts[words.language](known), words.language)
}

/** All anonymous visitors with one language get the same bytes, cached per pass. */
const parts = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    perObject((known: OwnedPass) => new TextEncoder().encode(strangerPart(known, wordsIn(language)))),
  ]),
) as Record<Language, (known: OwnedPass) => Uint8Array>

/** Errors about passes have their own pages; others get the default handling. */
export function refuseTap(visit: Visit, thrown: unknown): Response {
  if (!isAppError(thrown)) return refuse(visit, thrown)
  const { appCode, message, headers } = thrown
  const page = prefersHtml(visit.request) ? refusalPage(thrown, wordsFor(visit)) : undefined
  if (page !== undefined) return respond(visit, page.status, page.body, HTML_HEADERS, headers)
  return refuse(visit, new AppError(appCode, message, { ...headers, 'cache-control': 'no-store' }))
}
