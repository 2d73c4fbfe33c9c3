import { forbidden, insufficientScope, unauthorized } from './errors'
import type { Scope } from './scopes'

export type Role = 'user' | 'admin'

/** What the caller showed: a personal token, an application's token, or the first-party cookie. */
export type Credential =
  | { kind: 'token'; id: string; expiresAt: Date | null }
  | { kind: 'oauth'; id: string; clientId: string; grantId: string }
  | { kind: 'session'; id: string }

export type Caller = {
  readonly userId: string
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  readonly credential: Credential
  /** Present where what an administrator does is written down. */
  readonly requestId?: string
  /** Present when the request carries an idempotency key: runs an action at most once. */
  readonly once?: RunOnce
}

/** Who asks for what is theirs: a person, or an application by the grant that they gave it. */
export type Asker = { userId: string; grantId: string | null }

export const askerOf = ({ userId, credential }: Caller): Asker => ({
  userId,
  grantId: credential.kind === 'oauth' ? credential.grantId : null,
})

export type RunOnce = <T>(secret: boolean, run: () => Promise<T>) => Promise<T>

/** Anyone at the door: a caller, nobody, or somebody whose credential did not hold. */
export type Visitor = Caller | 'anonymous' | 'refused'

/** A scope; `session` (the cookie, on purpose); `public` (credentials optional); `none` (ignored). */
export type Access = Scope | 'session' | 'public' | 'none'

/** Who may pass. The one place where 401 and 403 for want of a scope are decided. */
export function demand(visitor: Visitor, access: Access): Caller | null {
  if (access === 'none') return null
  if (visitor === 'refused') throw unauthorized(true)
  if (access === 'public') return visitor === 'anonymous' ? null : visitor
  if (visitor === 'anonymous') throw unauthorized(false)
  if (access === 'session') {
    if (visitor.credential.kind !== 'session') throw forbidden('This needs a signed-in browser session')
  } else if (!visitor.scopes.has(access)) throw insufficientScope(access)
  return visitor
}
