import { config } from '@/config/config'

/** Whom mails are from. */
export const sender = () =>
  config.mailFrom || { name: config.siteName, address: `no-reply@${new URL(config.baseUrl).hostname}` }

/** The address alone. */
export function senderAddress(): string {
  const from = sender()
  if (typeof from === 'object') return from.address
  return (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim()
}
