/**
 * What the frame of a widget may do in a page of others: run its script as the site that it is of, and open its links. It may
 * not steer the page, send forms or show dialogs.
 */
export const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'
