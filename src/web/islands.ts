import copy from './islands/copy.js' with { type: 'text' }

/** Scripts by name, as they are written. */
export const ISLANDS = { copy }
