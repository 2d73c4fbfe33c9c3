import { sealer } from '@/auth/secrets'

const { seal, open } = sealer('websub')

/** What only we and the subscriber know: the topic as they wrote it, in which there may be a token, and their secret. */
export type Confided = { written: string; secret: string | null }

export const sealConfided = (id: string, { written, secret }: Confided): Uint8Array =>
  seal(Buffer.from(JSON.stringify([written, secret])), id)

/** Null for what was sealed with another key. */
export function openConfided({ id, sealed }: { id: string; sealed: Uint8Array }): Confided | null {
  try {
    const [written, secret] = JSON.parse(Buffer.from(open(sealed, id)).toString()) as [string, string | null]
    return { written, secret }
  } catch {
    return null
  }
}
