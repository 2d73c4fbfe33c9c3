import { version } from '../../package.json'

/** The version of this release, as `/openapi.json` and agents are told it. */
export const VERSION = version
