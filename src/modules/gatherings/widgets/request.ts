import { isId } from '@/core/ids'

export const WIDGETS = ['next-event', 'carousel'] as const
export type Widget = (typeof WIDGETS)[number]

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export type WidgetRequest = {
  widget: Widget
  theme: Theme
  /** Valid group names, sorted; null means all groups. */
  groups: readonly string[] | null
  /** Shows this event instead of the next ones. */
  eventId: string | null
}

export const isWidget = (name: string): name is Widget => WIDGETS.some((known) => known === name)

const isTheme = (name: string | null): name is Theme => THEMES.some((known) => known === name)

const GROUPS_MAX = 30
const NAME = /^[\w.-]{1,100}$/

/** Ignores invalid parameters: a widget always has something to show. */
export function readWidgetRequest(widget: Widget, query: string): WidgetRequest {
  if (query === '') return { widget, theme: 'auto', groups: null, eventId: null }
  const given = new URLSearchParams(query)
  const theme = given.get('theme')
  const event = widget === 'next-event' ? (given.get('event')?.trim().toLowerCase() ?? '') : ''
  return {
    widget,
    theme: isTheme(theme) ? theme : 'auto',
    groups: event === '' ? groupsIn(given.getAll('groups').join()) : null,
    eventId: event === '' ? null : isId(event) ? event : UNKNOWN_EVENT,
  }
}

const UNKNOWN_EVENT = '00000000-0000-8000-8000-000000000000'

function groupsIn(list: string): readonly string[] | null {
  const names = list
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return null
  return [...new Set(names.filter((name) => NAME.test(name)))].slice(0, GROUPS_MAX).sort()
}

/** The canonical URL. */
export function pathOfWidget({ widget, theme, groups, eventId }: WidgetRequest): string {
  const query = new URLSearchParams()
  if (groups !== null) query.set('groups', groups.join() || NO_GROUP)
  if (eventId !== null) query.set('event', eventId)
  if (theme !== 'auto') query.set('theme', theme)
  return query.size === 0 ? `/widget/${widget}` : `/widget/${widget}?${query}`
}

/** Matches no group; an empty list would mean all groups. */
const NO_GROUP = '-'
