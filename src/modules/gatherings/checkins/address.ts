import { config } from '@/config/config'

export const PATH = '/checkin'
export const PRINTED_PATH = '/CHECKIN'

/** As a symbol carries it: upper case needs a smaller one. */
export const printedCheckinUrl = (code: string): string =>
  `${config.baseUrl}${PRINTED_PATH}/${code}`.toUpperCase()
