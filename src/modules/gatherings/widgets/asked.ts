import { isId } from '@/core/ids'

export const WIDGETS = ['next-event', 'carousel'] as const
export type Widget = (typeof WIDGETS)[number]

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** What the address of a widget asks for. */
export type Asked = {
  widget: Widget
  theme: Theme
  /** Names of groups, sorted, as far as one could be a group's; null means all of them. */
  groups: readonly string[] | null
  /** The one event to show, whatever comes next. */
  eventId: string | null
}

export const isWidget = (name: string): name is Widget => WIDGETS.some((known) => known === name)

const isTheme = (name: string | null): name is Theme => THEMES.some((known) => known === name)

/** An address has room for so many. */
const GROUPS_MAX = 30
const NAME = /^[\w.-]{1,100}$/

/** Reads a query. Whatever it says there is something to show: what makes no sense is passed over. */
export function readAsked(widget: Widget, query: string): Asked {
  if (query === '') return { widget, theme: 'auto', groups: null, eventId: null }
  const given = new URLSearchParams(query)
  const theme = given.get('theme')
  const event = widget === 'next-event' ? (given.get('event')?.trim().toLowerCase() ?? '') : ''
  return {
    widget,
    theme: isTheme(theme) ? theme : 'auto',
    groups: event === '' ? groupsIn(given.getAll('groups').join()) : null,
    eventId: event === '' ? null : isId(event) ? event : NOBODYS,
  }
}

/** An id that no event has. */
const NOBODYS = '00000000-0000-8000-8000-000000000000'

function groupsIn(list: string): readonly string[] | null {
  const names = list
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return null
  return [...new Set(names.filter((name) => NAME.test(name)))].slice(0, GROUPS_MAX).sort()
}

/** The one address of what was asked for. */
export function pathOfWidget({ widget, theme, groups, eventId }: Asked): string {
  const query = new URLSearchParams()
  if (groups !== null) query.set('groups', groups.join() || NOBODY)
  if (eventId !== null) query.set('event', eventId)
  if (theme !== 'auto') query.set('theme', theme)
  return query.size === 0 ? `/widget/${widget}` : `/widget/${widget}?${query}`
}

/** A name that no group has: without one the address would mean all of them. */
const NOBODY = '-'
