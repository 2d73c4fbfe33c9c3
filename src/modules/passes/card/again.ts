/** In the query of a tap that was refused for coming too fast, and is tried once more by its own page. */
export const AGAIN = 'again'
