import type { TObject } from '@sinclair/typebox'
import { ago, DAY_MS, now } from '@/core/clock'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { broadcast } from '@/outbox/broadcast'
import { type Letter, URGENCY } from '../letter'
import { LIFE_MS } from '../post'
import type { MailRow } from '../queries'
import { insertItem, takeItems } from './queries'

/** Items older than this, held back by a switched-off kind, are dropped. */
const NEWS_MS = 7 * DAY_MS

/** Adds an item to the person's next gathered letter, unless an earlier letter contained it. */
export async function gather<D extends TObject>(
  tx: Tx,
  letter: Letter<D>,
  userId: string,
  item: string,
): Promise<void> {
  if (!letter.gathers) throw new Error(`The letter ${letter.name} gathers nothing`)
  const { name, kind, urgency, gathers, lifeMs = LIFE_MS } = letter
  const row = {
    id: newId(),
    userId,
    item,
    letter: name,
    kind,
    urgency: URGENCY[urgency],
    at: now(),
    lifeMs,
  }
  if (await insertItem(tx, { ...row, ...gathers })) broadcast(tx, { type: 'mails.due', data: {} })
}

/** The items of a letter, the same for each attempt to send it. */
export const itemsOf = (row: MailRow): Promise<string[]> => takeItems(db, row, ago(NEWS_MS))
