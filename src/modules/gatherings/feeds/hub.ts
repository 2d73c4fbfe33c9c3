import { config } from '@/config/config'

/** The WebSub hub that feeds announce; null when the operator wants none. */
export const hubUrl = (): string | null => config.hub.url
