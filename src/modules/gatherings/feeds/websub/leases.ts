export const DAY_SECONDS = 24 * 60 * 60

/** How long a subscription lasts unless it is renewed. */
export const LEASE_DAYS = { min: 1, usual: 10, max: 30 }
