/** Most checks take less than a second; longer queues need no faster polling. */
export const LOOK_AGAIN = { 'retry-after': '2' }
