import { type Html, html } from '@/web/html'

const icon = (path: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`

export const CHECK = icon('M4 12.5 9.5 18 20 6.5')
export const SAVE = icon('M12 3v12m-5-5 5 5 5-5M4 20h16')
export const PLUS = icon('M12 5v14M5 12h14')
export const LINKED = icon(
  'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7m2 3a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
)
export const TAG = icon('M6 9a4.5 4.5 0 0 1 0 6M10 6.5a9 9 0 0 1 0 11M14 4a13.5 13.5 0 0 1 0 16')
export const NOTHING = icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 5 5')
export const OFF = icon('M12 3v8M6.5 6.5a8 8 0 1 0 11 0')
export const CLOCK = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4v5l3 2')
