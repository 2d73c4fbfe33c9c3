import { jwt } from '@elysiajs/jwt'
import { config } from '@/config/config'
import { nowMs } from '@/core/clock'

/** Ids and constants: the holder of the token can read them, so nothing private. */
export type SignedValue = Record<string, string>

export type Opened = { value: SignedValue; expiresAt: Date }

/**
 * Signs short-lived values that pass through clients. Each purpose has its own key, so a token for one is invalid for another.
 */
export function signer(purpose: string) {
  const secret = new Bun.CryptoHasher('sha256', config.secretKey).update(`signed\n${purpose}`).digest()
  const { jwt: tokens } = jwt({ secret, alg: 'HS256', iat: false }).decorator

  return {
    async sign(value: SignedValue, lastsMs: number): Promise<{ token: string; expiresAt: Date }> {
      const exp = Math.floor((nowMs() + lastsMs) / 1000)
      return { token: await tokens.sign({ value, exp }), expiresAt: new Date(exp * 1000) }
    },

    /** Undefined for a token that we did not sign. The caller decides what an expired one means. */
    async open(token: string): Promise<Opened | undefined> {
      const opened = await tokens.verify(token, { algorithms: ['HS256'], currentDate: new Date(0) })
      if (!opened || typeof opened.exp !== 'number') return undefined
      return { value: opened.value as SignedValue, expiresAt: new Date(opened.exp * 1000) }
    },
  }
}
