import type { SettingsPage } from '@/web/settings'

export const PAGES: readonly SettingsPage[] = [
  'overview',
  'profile',
  'portfolio',
  'passes',
  'mail',
  'preferences',
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
