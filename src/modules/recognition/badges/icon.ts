import { invalidField } from '@/core/errors'
import { line } from '@/core/fields'
import { refusals } from '@/core/refusals'

/** The schema only describes; `demandEmoji` checks, because no JSON Schema pattern can. */
export const icon = () => line(1, 32, { description: 'One emoji.' })

const ONE_EMOJI = /^\p{RGI_Emoji}$/v

/** Characters with text presentation by default, without a variation selector or skin tone. */
const MAYBE_TEXT = /(?!\p{Emoji_Presentation})\p{Emoji}(?![\uFE0F\p{Emoji_Modifier}])/gu

/** Adds the variation selector that keyboards and editors omit, so that ❤ renders as an emoji. */
export function demandEmoji(icon: string): string {
  const written = icon.replace(MAYBE_TEXT, '$&\uFE0F')
  if (!ONE_EMOJI.test(written)) throw invalidField('icon', refusals.oneEmoji)
  return written
}
