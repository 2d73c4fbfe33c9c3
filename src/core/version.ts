import { version } from '../../package.json'

/** Of this release, as `/openapi.json` and agents are told it. */
export const VERSION = version
