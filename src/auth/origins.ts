import { config } from '@/config/config'

/** Where pages come from that are ours, or as good as ours. */
export const OWN_ORIGINS: readonly string[] = [
  config.baseUrl,
  config.authUrl,
  ...(config.legacyBaseUrl === null ? [] : [config.legacyBaseUrl]),
  ...config.allowedOrigins,
]
