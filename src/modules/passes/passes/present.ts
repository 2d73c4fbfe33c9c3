import { iso } from '@/core/shapes'
import { passUrl } from './id'
import type { DesignRow, PassRow } from './queries'
import type { Meetpass } from './schema'

export const presentPass = (pass: PassRow): Meetpass => ({
  ...pass,
  autoFollow: Number(pass.autoFollow),
  isActive: Number(pass.isActive),
  claimedAt: iso(pass.claimedAt),
  createdAt: iso(pass.createdAt),
})

export const withDesign = ({ pass, design }: { pass: PassRow; design: DesignRow | null }) => ({
  ...presentPass(pass),
  design,
})

export const reachOf = ({ id }: PassRow, connectionCount: number) => ({ connectionCount, url: passUrl(id) })
