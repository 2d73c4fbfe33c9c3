import { THEME_COLORS } from '@/config/accent'
import type { OwnedPass } from '@/modules/passes/passes/owned-pass'
import { ownerShown } from '@/modules/passes/passes/owner-shown'

const NAMES: ReadonlySet<string | null | undefined> = new Set(THEME_COLORS)

/** The one colour of a card: that of the pass's design, of its owner, or for whoever chose none always the same one. */
export const themeOf = ({ design, owner }: OwnedPass): string =>
  [design?.themeColor, ownerShown(owner).themeColor].find((name) => NAMES.has(name)) ??
  (THEME_COLORS[Bun.hash.crc32(owner.id) % THEME_COLORS.length] as string)
