import { config } from '@/config/config'

export const PATH = '/checkin'
export const PRINTED_PATH = '/CHECKIN'

/** Upper case fits QR's alphanumeric mode, which makes a smaller symbol. */
export const printedCheckinUrl = (code: string): string =>
  `${config.baseUrl}${PRINTED_PATH}/${code}`.toUpperCase()
