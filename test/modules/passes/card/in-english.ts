import * as card from '@/modules/passes/card/card'
import * as notes from '@/modules/passes/card/notes'
import { ownPassPage as ownPass } from '@/modules/passes/card/own-pass'
import type { OwnedPass } from '@/modules/passes/passes/owner-shown'
import type { Html } from '@/web/html'
import { wordsIn } from '@/words/words'

/** What a tap shows, to readers of English. */
const ENGLISH = wordsIn('en')

export const strangerCard = (known: OwnedPass) => card.strangerCard(known, ENGLISH)
export const personCard = (known: OwnedPass, person: card.Person) => card.personCard(known, person, ENGLISH)
export const ownPassPage = (known: OwnedPass, met: { people: number; all: number }) =>
  ownPass(known, met, ENGLISH)
export const blankTagPage = (id: string, formToken: Html | null) => notes.blankTagPage(id, formToken, ENGLISH)
export const unknownPassPage = () => notes.unknownPassPage(ENGLISH)
export const notInUsePage = () => notes.notInUsePage(ENGLISH)
export const tooFastPage = (seconds?: string) => notes.tooFastPage(ENGLISH, seconds)
export const refusalPage = (error: Parameters<typeof notes.refusalPage>[0]) =>
  notes.refusalPage(error, ENGLISH)
