import { version } from '../../package.json'

/** The API version: changes with paths and schemas, not with releases. */
export const API_VERSION = '1.0.0'

export const VERSION = version
