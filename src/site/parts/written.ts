import type { Rarity } from '@/modules/recognition/badges/schema'
import { type Html, html } from '@/web/html'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'

/** A number in the format of this language. */
export const written = (number: number, { language }: Words): string =>
  number.toLocaleString(LOCALES[language])

export const pointsIn = (points: number, words: Words): string =>
  words.recognition.points(points, written(points, words))

export const shareIn = ({ percentage }: Rarity, { language }: Words): string =>
  (percentage / 100).toLocaleString(LOCALES[language], { style: 'percent', maximumFractionDigits: 1 })

export const rarityMark = ({ tier }: Rarity, { recognition }: Words): Html =>
  html`<span class="mark rarity ${tier}">${recognition.rarity[tier]}</span>`
