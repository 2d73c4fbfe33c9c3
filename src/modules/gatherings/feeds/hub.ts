import { config } from '@/config/config'

/** The WebSub hub that feeds announce; null if disabled. */
export const hubUrl = (): string | null => config.hub.url
