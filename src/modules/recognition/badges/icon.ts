import { invalidField } from '@/core/errors'
import { line } from '@/core/fields'

/** Described by a schema and checked by `demandEmoji`: no pattern of JSON Schema knows what an emoji is. */
export const icon = () => line(1, 32, { description: 'One emoji.' })

const ONE_EMOJI = /^\p{RGI_Emoji}$/v

/** Characters that are text unless a variation selector asks for a picture; a skin tone asks for it too. */
const MAYBE_TEXT = /(?!\p{Emoji_Presentation})\p{Emoji}(?![\uFE0F\p{Emoji_Modifier}])/gu

/** The emoji as it should be written: keyboards and editors leave out the variation selector that makes ❤ a picture. */
export function demandEmoji(icon: string): string {
  const written = icon.replace(MAYBE_TEXT, '$&\uFE0F')
  if (!ONE_EMOJI.test(written)) throw invalidField('icon', 'must be one emoji')
  return written
}
