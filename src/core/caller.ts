import {
  type AppError,
  forbidden,
  insufficientScope,
  misdirected,
  type Resource,
  unauthorized,
} from './errors'
import type { Scope } from './scopes'

export type Role = 'user' | 'admin'

/** What the caller showed: a personal token, an application's token, or the first-party cookie. */
export type Credential =
  | { kind: 'token'; id: string; expiresAt: Date | null }
  | { kind: 'oauth'; id: string; clientId: string; grantId: string; resource: string | null }
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

/** Nobody, somebody whose credential did not hold, or one whose token was given for another resource (RFC 8707). */
export type Unknown = 'anonymous' | 'refused' | 'misdirected'

/** Anyone at the door. */
export type Visitor = Caller | Unknown

/** A scope; `session` (the cookie, on purpose); `public` (credentials optional); `none` (ignored). */
export type Access = Scope | 'session' | 'public' | 'none'

/** Who may pass. The one place where 401 and 403 for want of a scope are decided. */
export function demand(visitor: Visitor, access: Access): Caller | null {
  if (access === 'none') return null
  if (typeof visitor === 'string') {
    if (access === 'public' && visitor === 'anonymous') return null
    throw whyUnknown(visitor)
  }
  if (access === 'public') return visitor
  if (access === 'session') {
    if (visitor.credential.kind !== 'session') throw forbidden('This needs a signed-in browser session')
  } else if (!visitor.scopes.has(access)) throw insufficientScope(access)
  return visitor
}

/** The 401 of somebody who is no caller. */
export const whyUnknown = (visitor: Unknown, resource?: Resource): AppError =>
  visitor === 'misdirected' ? misdirected(resource) : unauthorized(visitor === 'refused', resource)
