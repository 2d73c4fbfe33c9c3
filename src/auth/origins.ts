import { config } from '@/config/config'

/** Origins of our own pages, and of those that the operator trusts like them. */
export const OWN_ORIGINS: readonly string[] = [
  config.baseUrl,
  config.authUrl,
  ...(config.legacyBaseUrl === null ? [] : [config.legacyBaseUrl]),
  ...config.allowedOrigins,
]
