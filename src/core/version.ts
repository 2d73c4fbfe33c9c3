import { version } from '../../package.json'

/** The version of the API: it changes with its paths and shapes, not with releases. */
export const API_VERSION = '1.0.0'

/** The version of this release. */
export const VERSION = version
