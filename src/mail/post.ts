import type { Static, TObject } from '@sinclair/typebox'
import { sealer } from '@/auth/secrets'
import { DAY_MS, now } from '@/core/clock'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { broadcast } from '@/outbox/broadcast'
import { type Letter, URGENCY } from './letter'
import { insertForAddress, insertForPeople, type NewMail, supersede } from './queries'

/** How long sending is retried, unless the letter sets `lifeMs`. */
export const LIFE_MS = 2 * DAY_MS
/** How long finished letters are kept for deduplication. */
export const DEDUPLICATION_MS = 30 * DAY_MS
const PEOPLE_AT_ONCE = 1000

export const seal = sealer('mail')

export type PostOptions<D extends TObject> = {
  /** The deduplication key: an account gets the same letter once per fact. */
  fact: string
  /** `post` replaces the account's waiting letter of the same name and topic, unless `keepsWaiting`. `postTo` never replaces. */
  topic?: string
  /** If one waits already, inserts nothing: its text is composed at sending time. */
  keepsWaiting?: boolean
  /** Overrides the letter's own urgency. */
  urgency?: keyof typeof URGENCY
  /** The earliest time to send it; now by default. */
  dueAt?: Date
  data: Static<D>
}

/** Queues a letter to people who have an address, want its kind and have not received it for this fact. */
export async function post<D extends TObject>(
  tx: Tx,
  letter: Letter<D>,
  userIds: readonly string[],
  options: PostOptions<D>,
): Promise<void> {
  if (letter.secret) throw new Error('A letter with a secret goes to one address')
  const mail = mailOf(letter, options, null)
  for (let i = 0; i < userIds.length; i += PEOPLE_AT_ONCE) {
    const slice = userIds.slice(i, i + PEOPLE_AT_ONCE)
    if (mail.topic !== null && !options.keepsWaiting) await supersede(tx, mail, slice, mail.createdAt)
    await insertForPeople(
      tx,
      slice.map((userId) => ({ id: newId(), userId })),
      letter.kind,
      mail,
    )
  }
  broadcast(tx, { type: 'mails.due', data: {} })
}

/** Queues a letter to an address. `reader` is the recipient's user id, if any: their language and preferences apply. */
export async function postTo<D extends TObject>(
  tx: Tx,
  letter: Letter<D>,
  address: string,
  { reader, ...options }: PostOptions<D> & { reader?: string },
): Promise<void> {
  const id = newId()
  const mail = mailOf(letter, options, address)
  if (letter.secret) {
    mail.sealed = seal.seal(Buffer.from(JSON.stringify(mail.data)), id)
    mail.data = {}
  }
  if (reader === undefined) await insertForAddress(tx, id, mail)
  else await insertForPeople(tx, [{ id, userId: reader }], letter.kind, mail)
  broadcast(tx, { type: 'mails.due', data: {} })
}

function mailOf<D extends TObject>(
  letter: Letter<D>,
  options: PostOptions<D>,
  address: string | null,
): NewMail {
  const createdAt = now()
  const dueAt = options.dueAt ?? createdAt
  return {
    letter: letter.name,
    fact: options.fact,
    topic: options.topic ?? null,
    data: options.data as Record<string, unknown>,
    sealed: null,
    address,
    urgency: URGENCY[options.urgency ?? letter.urgency],
    createdAt,
    dueAt,
    expiresAt: new Date(dueAt.getTime() + (letter.lifeMs ?? LIFE_MS)),
  }
}
