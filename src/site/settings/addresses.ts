import type { SettingsPage } from '@/web/settings'

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

export const MET = `${settingsPath('passes')}/met`

/** A full-screen pass. */
export const stagePath = (id: string): string => `${settingsPath('passes')}/${id}/show`

/** The page after account deletion. */
export const DELETED = `${OVERVIEW}/deleted`

/** The anchor of the time zone on the profile page. */
export const ZONE = 'zone'
