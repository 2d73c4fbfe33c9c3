/** Most checks take less than a second; a queue of them is looked at again without a rush. */
export const LOOK_AGAIN = { 'retry-after': '2' }
