import type { KnownPass, PassOwner } from './queries'

export type OwnedPass = KnownPass & { owner: PassOwner }

export const isOwned = (known: KnownPass): known is OwnedPass => known.owner !== null
