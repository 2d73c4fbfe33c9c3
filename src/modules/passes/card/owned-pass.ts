import type { KnownPass, PassOwner } from '@/modules/passes/passes/queries'

/** A pass that is somebody's. */
export type OwnedPass = KnownPass & { owner: PassOwner }
