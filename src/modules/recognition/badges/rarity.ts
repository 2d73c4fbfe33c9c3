import type { Rarity } from './schema'

const TIERS = [
  { below: 1, tier: 'legendary' },
  { below: 5, tier: 'epic' },
  { below: 15, tier: 'rare' },
  { below: 50, tier: 'uncommon' },
] as const

/** How rare a badge is among the people whom strangers may know of. */
export function rarityOf(publicHolders: number, publicPeople: number): Rarity {
  const share = publicPeople === 0 ? 0 : Math.min(100, (publicHolders / publicPeople) * 100)
  return {
    // By the exact share: 14.96 is rounded to 15 and is rare all the same.
    tier: TIERS.find(({ below }) => share < below)?.tier ?? 'common',
    percentage: Math.round(share * 10) / 10,
  }
}
