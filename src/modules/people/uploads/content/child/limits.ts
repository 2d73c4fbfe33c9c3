/** The upload limit, also for re-encoded files. */
export const BYTES_AT_MOST = 10 * 1024 * 1024
