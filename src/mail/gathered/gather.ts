import type { TObject } from '@sinclair/typebox'
import { ago, DAY_MS, now } from '@/core/clock'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { broadcast } from '@/outbox/broadcast'
import { type Letter, URGENCY } from '../letter'
import { LIFE_MS } from '../post'
import type { MailRow } from '../queries'
import { insertItem, takeItems } from './queries'

/** What nobody was told of for longer, because its kind was switched off, is no news any more. */
const NEWS_MS = 7 * DAY_MS

/** Has a person told of a thing by the next letter that gathers such things; of one that they were told of already, not again. */
export async function gather<D extends TObject>(
  tx: Tx,
  letter: Letter<D>,
  userId: string,
  item: string,
): Promise<void> {
  if (!letter.gathers) throw new Error(`The letter ${letter.name} gathers nothing`)
  const { name, kind, urgency, gathers, lifeMs = LIFE_MS } = letter
  const thing = {
    id: newId(),
    userId,
    item,
    letter: name,
    kind,
    urgency: URGENCY[urgency],
    at: now(),
    lifeMs,
  }
  if (await insertItem(tx, { ...thing, ...gathers })) broadcast(tx, { type: 'mails.due', data: {} })
}

/** What a letter tells of. It is the same for each attempt to send it. */
export const itemsOf = (row: MailRow): Promise<string[]> => takeItems(db, row, ago(NEWS_MS))
