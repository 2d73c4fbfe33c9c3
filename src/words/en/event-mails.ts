/** Letters about events. */
export const eventMails = {}
