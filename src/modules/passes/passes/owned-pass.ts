import type { KnownPass, PassOwner } from './queries'

/** A pass that is somebody's. */
export type OwnedPass = KnownPass & { owner: PassOwner }

export const isOwned = (known: KnownPass): known is OwnedPass => known.owner !== null
