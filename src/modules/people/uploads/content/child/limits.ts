/** As large as an upload may be: what is written anew must not outgrow it. */
export const BYTES_AT_MOST = 10 * 1024 * 1024
