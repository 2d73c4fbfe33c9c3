import { ConfigError } from './error'

/** Colors of people, groups, passes and the site, defined in `web/styles/themes.css`. */
export const THEME_COLORS = ['coral', 'ocean', 'sunset', 'forest', 'violet', 'rose', 'slate', 'sky'] as const

/** A named theme, or the operator's own colour as `#rrggbb`. */
export type Accent = { theme: (typeof THEME_COLORS)[number] } | { colour: string }

export function accent(value: string): Accent | null {
  if (value === '') return null
  const theme = THEME_COLORS.find((name) => name === value)
  if (theme !== undefined) return { theme }
  if (/^#[0-9a-f]{6}$/i.test(value)) return { colour: value.toLowerCase() }
  throw new ConfigError(
    `SITE_ACCENT must be one of ${THEME_COLORS.join(', ')}, or a colour such as #1f6f54 (in .env, in quotes).`,
  )
}
