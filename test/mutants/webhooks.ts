import type { Mutant } from './mutant'

const TESTS = 'test/modules/webhooks'

export const mutants: Mutant[] = [
  {
    name: 'redirect-is-success',
    file: 'src/modules/webhooks/deliveries/attempt.ts',
    find: 'if (status >= 200 && status < 300) return null',
    replace: 'if (status >= 200 && status < 400) return null',
    means: 'What a receiver that moved never got counts as delivered.',
    tests: [`${TESTS}/deliveries.test.ts`, `${TESTS}/retries.test.ts`],
  },
  {
    name: 'message-of-other-webhook-retried',
    file: 'src/modules/webhooks/deliveries/queries.ts',
    find: '.where(and(eq(webhookMessages.id, messageId), eq(webhookMessages.webhookId, webhookId)))',
    replace: '.where(and(eq(webhookMessages.id, messageId), eq(webhookMessages.id, messageId)))',
    means: "Anyone has other people's receivers told again, and learns which messages exist.",
    tests: [`${TESTS}/retries.test.ts`],
  },
  {
    name: 'late-result-settles',
    file: 'src/modules/webhooks/dispatch/queries.ts',
    find: 'and message.lease_owner = ${leaseOwner}::uuid',
    replace: 'and ${leaseOwner}::uuid is not null',
    means: 'A worker that was asleep overrules the one that took its message since.',
    tests: [`${TESTS}/trouble.test.ts`, `${TESTS}/lanes.test.ts`],
  },
  {
    name: 'old-secret-dies-young',
    file: 'src/modules/webhooks/secrets.ts',
    find: 'const CHANGEOVER_MS = 24 * 60 * 60 * 1000',
    replace: 'const CHANGEOVER_MS = 60 * 60 * 1000',
    means: 'Receivers that change over at night refuse everything until then.',
    tests: [`${TESTS}/deliveries.test.ts`],
  },
  {
    name: 'old-secret-lives-on',
    file: 'src/modules/webhooks/secrets.ts',
    find: 'old.filter(({ until }) => new Date(until) > at)',
    replace: 'old.filter(({ until }) => new Date(until) > new Date(0) && at)',
    means: 'A secret that leaked signs for ever.',
    tests: [`${TESTS}/deliveries.test.ts`],
  },
  {
    name: 'secrets-not-bound',
    file: 'src/auth/sealing.ts',
    find: `      cipher.setAAD(Buffer.from(bound))
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed: Uint8Array, bound: string): Uint8Array {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(bound))`,
    replace: `      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed: Uint8Array): Uint8Array {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))`,
    means: "Whoever can write to the database signs with another webhook's secret.",
    tests: [`${TESTS}/trouble.test.ts`],
  },
]
