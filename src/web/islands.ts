import copy from './islands/copy.js' with { type: 'text' }
import ownTime from './islands/own-time.js' with { type: 'text' }
import share from './islands/share.js' with { type: 'text' }

/** Scripts by name, as they are written. */
export const ISLANDS = { copy, 'own-time': ownTime, share }
