import { isAppError } from '@/core/errors'
import { type CachedBody, cachedBody, knownTag, respondCached, respondOnce } from '@/http/encodings'
import type { Entry } from '@/http/invoke'
import { respond } from '@/http/respond'
import { pathOf, queryOf, type Visit } from '@/http/visit'
import { cache } from '@/outbox/cache'
import type { Language } from '@/words/language'
import { type Words, wordsIn } from '@/words/words'
import { languageOf } from './language'
import { corner, documentOf, type Page, POLICIES } from './layout'
import { ownPart } from './own-parts'
import { bindPage, type PageOptions, type Params, personOf, refusedPage } from './page'
import { filled, type Slots, type SplitDocument, splitAtSlots } from './slots'
import { topicIndex, topicsOf } from './topics'

/** A public page, with what invalidates it. */
export type OpenPage = Page & {
  /** Ids on the page, and types of domain events (`event.published`) that may add to it. */
  about: readonly string[]
  /** The time (ms) after which the page is stale even without an event. */
  endsAt?: number
}

export type Asked = { params: Params; query: URLSearchParams; words: Words; path: string }

/** Called as an anonymous visitor for the shared page; if that is refused, called again as the signed-in person. */
export type LoadOpen = (entry: Entry, asked: Asked) => OpenPage | Promise<OpenPage>

type Options = PageOptions & {
  /** Fills the personal slots. */
  personal?: (visit: Visit, asked: Asked) => Slots | Promise<Slots>
  /** Set it if the slots depend only on the person and `about`: they are then cached too. */
  keepsPersonal?: boolean
  /** Relevant query parameters; others are ignored. */
  query?: readonly string[]
}

type Kept = {
  document: SplitDocument
  body: CachedBody
  about: readonly string[]
  endsAt: number
  hasIslands: boolean
}

const STRANGER: Entry = {
  visitor: 'anonymous',
  id: 'open-page',
  onSite: true,
  request: null,
  budget: null,
}

const loaders: LoadOpen[] = []
/** A page takes 10 to 60 KB in its three encodings. */
const PAGES_MAX = 300
/** Visitors may invent any query, so pages with one evict only each other. */
const ANSWERS_MAX = 100

const pages = keeper(PAGES_MAX)
const answers = keeper(ANSWERS_MAX)

function keeper(max: number) {
  // About 100 topics per page.
  const index = topicIndex(max * 100)

  async function make(key: string): Promise<Kept> {
    const [loader, language, path, query, params] = JSON.parse(key) as [
      number,
      Language,
      string,
      string,
      Params,
    ]
    const words = wordsIn(language)
    const made = await (loaders[loader] as LoadOpen)(STRANGER, {
      params,
      query: new URLSearchParams(query),
      words,
      path,
    })
    index.add(key, made.about)
    const document = splitAtSlots(documentOf(made, words, path))
    return {
      document,
      body: cachedBody(new TextEncoder().encode(filled(document))),
      about: made.about,
      endsAt: made.endsAt ?? Number.POSITIVE_INFINITY,
      hasIslands: Boolean(made.islands?.length),
    }
  }

  return cache<Kept>({
    max,
    endsAt: (kept) => kept.endsAt,
    load: make,
    drops: (message, drop) => {
      const topics = topicsOf(message)
      // A page that is being rendered may lack the change.
      if (topics.length > 0) drop.pending()
      for (const topic of topics) for (const key of index.take(topic)) drop.key(key)
      if (!index.isFull()) return
      index.clear()
      drop.all()
    },
  })
}

const headersOf = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  // Caches must revalidate: a signed-in person gets another page at this address.
  'cache-control': 'public, no-cache',
  vary: 'Accept-Encoding, Accept-Language, Cookie',
  'content-security-policy': policy,
})
const personalHeadersOf = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy,
})
const FOR_STRANGERS = { plain: headersOf(POLICIES.plain), script: headersOf(POLICIES.script) }
const FOR_PEOPLE = { plain: personalHeadersOf(POLICIES.plain), script: personalHeadersOf(POLICIES.script) }

/**
 * Binds a public page. Renders it for visitors once per language and query, and caches it for at most a minute, or until a domain
 * event names an id or has a type in `about`. For a signed-in person only the slots are filled.
 */
export function openPage(load: LoadOpen, options: Options = {}) {
  const { personal, keepsPersonal, query: names = [] } = options
  const loader = loaders.push(load) - 1

  const answer = async (visit: Visit, params: Params): Promise<Response> => {
    const asked = questionOf(visit, params, names)
    const query = asked.query.toString()
    const key = JSON.stringify([loader, asked.words.language, asked.path, query, params])
    try {
      return await send(visit, asked, await (query === '' ? pages : answers).get(key), key)
    } catch (error) {
      return otherwise(visit, asked, error)
    }
  }

  const send = async (visit: Visit, asked: Asked, kept: Kept, key: string): Promise<Response> => {
    const person = personOf(visit)
    if (person === null) return sendToStranger(visit, kept)
    const slots =
      personal && keepsPersonal
        ? await ownPart(`${person.credential.id} ${key}`, [person.userId, ...kept.about], kept.endsAt, () =>
            personal(visit, asked),
          )
        : await personal?.(visit, asked)
    return sendToPerson(visit, asked, kept, slots)
  }

  /** A page hidden from visitors may be visible to the person. */
  const otherwise = async (visit: Visit, asked: Asked, error: unknown): Promise<Response> => {
    if (personOf(visit) === null || !isAppError(error)) return refusedPage(visit, error, options)
    try {
      const made = await load(visit, asked)
      const slots = await personal?.(visit, asked)
      const document = splitAtSlots(documentOf(made, asked.words, asked.path))
      return respondTo(visit, document, Boolean(made.islands?.length), {
        ...corner(visit, asked.words),
        ...slots,
      })
    } catch (thrown) {
      return refusedPage(visit, thrown, options)
    }
  }

  return bindPage(answer, options)
}

const NO_QUERY = new URLSearchParams()

function questionOf(visit: Visit, params: Params, names: readonly string[]): Asked {
  const { url } = visit.request
  const words = wordsIn(languageOf(visit.request))
  const sent = names.length === 0 ? '' : queryOf(url)
  if (sent === '') return { params, query: NO_QUERY, words, path: pathOf(url) }
  const given = new URLSearchParams(sent)
  const query = new URLSearchParams()
  for (const name of names)
    for (const value of given.getAll(name)) if (value !== '') query.append(name, value)
  return { params, query, words, path: query.size === 0 ? pathOf(url) : `${pathOf(url)}?${query}` }
}

function sendToStranger(visit: Visit, { body, hasIslands }: Kept): Response | Promise<Response> {
  const kind = FOR_STRANGERS[hasIslands ? 'script' : 'plain']
  const known = visit.request.headers.get('if-none-match')
  const etag = known === null ? undefined : knownTag(known, body.etag)
  return etag === undefined ? respondCached(visit, body, kind) : respond(visit, 304, null, kind, { etag })
}

const sendToPerson = (visit: Visit, { words }: Asked, { document, hasIslands }: Kept, slots: Slots = {}) =>
  respondTo(visit, document, hasIslands, { ...corner(visit, words), ...slots })

const respondTo = (visit: Visit, document: SplitDocument, hasIslands: boolean, slots: Slots) =>
  respondOnce(visit, 200, filled(document, slots), FOR_PEOPLE[hasIslands ? 'script' : 'plain'])
