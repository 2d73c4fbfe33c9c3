import type { Accent } from '@/config/accent'
import { accentStyle } from '@/web/accent'
import colours from '@/web/styles/colours.css' with { type: 'text' }

type Colours = Record<'ground' | 'paper' | 'ink' | 'quiet' | 'line' | 'accent' | 'onAccent', string>

/** The colours of the pages, by day and by night: readers of mail know no variables. */
export function mailColours(accent: Accent | null): { day: Colours; night: Colours } {
  const sheet = colours + accentStyle(accent)
  const both = (name: string) => {
    const found = [...sheet.matchAll(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`, 'g'))].at(-1)
    return { day: found?.[1] as string, night: found?.[2] as string }
  }
  const at = (time: 'day' | 'night'): Colours => ({
    ground: both('ground')[time],
    paper: both('paper')[time],
    ink: both('ink')[time],
    quiet: both('quiet')[time],
    line: both('line')[time],
    accent: both('accent')[time],
    onAccent: both('on-accent')[time],
  })
  return { day: at('day'), night: at('night') }
}
