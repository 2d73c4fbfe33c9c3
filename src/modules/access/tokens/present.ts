import { iso } from '@/core/shapes'
import type { TokenRow } from './queries'
import type { Token } from './schema'

export const presentToken = (row: TokenRow): Token => ({
  id: row.id,
  name: row.name,
  tokenPrefix: row.prefix,
  scopes: row.scopes.join(' '),
  expiresAt: iso(row.expiresAt),
  createdAt: iso(row.createdAt),
  lastUsedAt: iso(row.lastUsedAt),
})
