import {
  type AppError,
  forbidden,
  insufficientScope,
  misdirected,
  type Resource,
  unauthorized,
} from './errors'
import { refusals } from './refusals'
import type { Scope } from './scopes'

export type Role = 'user' | 'admin'

/** The credential: a personal token, an application's token, the first-party cookie, or access to the host. */
export type Credential =
  | { kind: 'token'; id: string; expiresAt: Date | null }
  | { kind: 'oauth'; id: string; clientId: string; grantId: string; resource: string | null }
  | { kind: 'session'; id: string }
  | { kind: 'operator'; id: string }

export type Caller = {
  readonly userId: string
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  readonly credential: Credential
}

/** The caller of an admin action, with the request id for the audit log. */
export type Administrator = Caller & { readonly requestId: string }

/** Whose rows a list may show: a person's, or an application's by its grant. */
export type Asker = { userId: string; grantId: string | null }

export const askerOf = ({ userId, credential }: Caller): Asker => ({
  userId,
  grantId: credential.kind === 'oauth' ? credential.grantId : null,
})

/** Runs an action at most once for an idempotency key. */
export type RunOnce = <T>(secret: boolean, run: () => Promise<T>) => Promise<T>

/** No credential, an invalid one, or a token for another resource (RFC 8707). */
export type Unknown = 'anonymous' | 'refused' | 'misdirected'

export type Visitor = Caller | Unknown

/** The context of a call: HTTP, page, agent or command. */
export type Asking = {
  readonly visitor: Visitor
  /** The request id in the logs. */
  readonly id: string
  /** Called by a page, feed or widget, which show only what visitors may see. */
  readonly onSite: boolean
}

/**
 * A scope; `session` (the cookie only); `operator` (a command on the host, never a request); `public` (credentials optional);
 * `none` (credentials ignored).
 */
export type Access = Scope | 'session' | 'operator' | 'public' | 'none'

/** The only source of 401, and of 403 for a missing scope. */
export function demand(asking: Asking, access: Access, openOnSite = false): Caller | null {
  const { visitor } = asking
  if (access === 'none') return null
  if (typeof visitor === 'string') {
    if (visitor === 'anonymous' && (access === 'public' || (openOnSite && asking.onSite))) return null
    throw whyUnknown(visitor)
  }
  if (access === 'public') return visitor
  if (access === 'session') {
    if (visitor.credential.kind !== 'session') throw forbidden(refusals.sessionNeeded)
  } else if (access === 'operator') {
    if (visitor.credential.kind !== 'operator') throw forbidden(refusals.hostOnly)
  } else if (!visitor.scopes.has(access)) throw insufficientScope(access)
  if (!visitor.scopes.has('admin')) return visitor
  const administrator: Administrator = { ...visitor, requestId: asking.id }
  return administrator
}

/** The caller if it uses the `admin` scope, for actions that allow administrators more. */
export const administratorOf = (caller: Caller): Administrator | undefined =>
  caller.scopes.has('admin') ? (caller as Administrator) : undefined

export function mayAsk(asking: Asking, access: Access): boolean {
  try {
    demand(asking, access)
    return true
  } catch {
    return false
  }
}

export const whyUnknown = (visitor: Unknown, resource?: Resource): AppError =>
  visitor === 'misdirected' ? misdirected(resource) : unauthorized(visitor === 'refused', resource)
