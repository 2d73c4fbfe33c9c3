import type { SettingsPage } from '@/web/settings'

/** The pages of settings, in their order. */
export const PAGES: readonly SettingsPage[] = [
  'overview',
  'profile',
  'portfolio',
  'passes',
  'mail',
  'accounts',
  'sessions',
  'applications',
  'tokens',
  'feeds',
  'data',
  'delete',
]

const OVERVIEW = '/settings'

export const settingsPath = (page: SettingsPage): string =>
  page === 'overview' ? OVERVIEW : `${OVERVIEW}/${page}`

/** The list of people whom somebody met. */
export const MET = `${settingsPath('passes')}/met`

/** A pass to hold up in a hall. */
export const stagePath = (id: string): string => `${settingsPath('passes')}/${id}/show`

/** Where the pictures of a profile are sent. */
export const PICTURES = `${settingsPath('profile')}/pictures`

/** Where whoever has left finds a last word. */
export const DELETED = `${OVERVIEW}/deleted`

/** The time zone, on the page of the profile. */
export const ZONE = 'zone'
