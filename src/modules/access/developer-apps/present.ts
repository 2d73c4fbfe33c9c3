import { iso } from '@/core/shapes'
import type { AppRow } from './queries'
import type { OAuthApp } from './schema'

export const presentApp = ({ authMethod, ...row }: AppRow): OAuthApp => ({
  ...row,
  isPublicClient: authMethod === 'none',
  createdAt: iso(row.createdAt),
})
