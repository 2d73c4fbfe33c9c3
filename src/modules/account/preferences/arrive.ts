import type { Tx } from '@/db/client'
import { languageOf, saysLanguage } from '@/web/language'
import { fillLanguage } from './queries'

/** The first browser with which a person signs in says in which language they are written to. */
export async function learnLanguage(tx: Tx, userId: string, request: Request): Promise<void> {
  if (saysLanguage(request)) await fillLanguage(tx, userId, languageOf(request))
}
