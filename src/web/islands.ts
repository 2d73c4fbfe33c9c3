import copy from './islands/copy.js' with { type: 'text' }
import live from './islands/live.js' with { type: 'text' }
import ownTime from './islands/own-time.js' with { type: 'text' }
import share from './islands/share.js' with { type: 'text' }
import stage from './islands/stage.js' with { type: 'text' }
import suggest from './islands/suggest.js' with { type: 'text' }
import upload from './islands/upload.js' with { type: 'text' }

/** Scripts by name, as they are written. */
export const ISLANDS = { copy, live, 'own-time': ownTime, share, stage, suggest, upload }
