/** Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each secret that counts. */
export function signatureHeaders(
  { id, body }: { id: string; body: string },
  secrets: Uint8Array[],
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
  }
}

const hmac = (secret: Uint8Array, text: string) =>
  new Bun.CryptoHasher('sha256', secret).update(text).digest('base64')
