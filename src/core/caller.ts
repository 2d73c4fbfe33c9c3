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

/** What the caller showed: a personal token, an application's token, the first-party cookie, or access to the host. */
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

/** A caller of an administrators' action, with the request id that the audit log keeps. */
export type Administrator = Caller & { readonly requestId: string }

/** The owner of what a list may show: a person, or an application by the grant that the person gave it. */
export type Asker = { userId: string; grantId: string | null }

export const askerOf = ({ userId, credential }: Caller): Asker => ({
  userId,
  grantId: credential.kind === 'oauth' ? credential.grantId : null,
})

/** Runs an action at most once for an idempotency key. */
export type RunOnce = <T>(secret: boolean, run: () => Promise<T>) => Promise<T>

/** No credential, one that did not hold, or a token for another resource (RFC 8707). */
export type Unknown = 'anonymous' | 'refused' | 'misdirected'

/** Anyone who calls, known or not. */
export type Visitor = Caller | Unknown

/** A question to an action, whatever the door. */
export type Asking = {
  readonly visitor: Visitor
  /** By which the question is found in the logs. */
  readonly id: string
  /** Asked by a page, a feed or a widget, which show what anyone may see. */
  readonly onSite: boolean
}

/**
 * A scope; `session` (the cookie, on purpose); `operator` (a command on the host, and no request at all); `public`
 * (credentials optional); `none` (ignored).
 */
export type Access = Scope | 'session' | 'operator' | 'public' | 'none'

/** Decides whether a visitor may pass: the one place from which 401, and 403 for want of a scope, come. */
export function demand(asking: Asking, access: Access, openOnSite = false): Caller | null {
  const { visitor } = asking
  if (access === 'none') return null
  if (typeof visitor === 'string') {
    if (visitor === 'anonymous' && (access === 'public' || (openOnSite && asking.onSite))) return null
    throw whyUnknown(visitor)
  }
  if (access === 'public') return visitor
  if (access === 'session') {
    if (visitor.credential.kind !== 'session') throw forbidden('This needs a signed-in browser session')
  } else if (access === 'operator') {
    if (visitor.credential.kind !== 'operator') throw forbidden('This is done by a command on the host')
  } else if (!visitor.scopes.has(access)) throw insufficientScope(access)
  if (!visitor.scopes.has('admin')) return visitor
  const administrator: Administrator = { ...visitor, requestId: asking.id }
  return administrator
}

/** The caller, if it is an administrator who uses that: for actions that let them do more than others. */
export const administratorOf = (caller: Caller): Administrator | undefined =>
  caller.scopes.has('admin') ? (caller as Administrator) : undefined

/** Whether `demand` would let them pass. */
export function mayAsk(asking: Asking, access: Access): boolean {
  try {
    demand(asking, access)
    return true
  } catch {
    return false
  }
}

/** The 401 for a visitor who is no caller. */
export const whyUnknown = (visitor: Unknown, resource?: Resource): AppError =>
  visitor === 'misdirected' ? misdirected(resource) : unauthorized(visitor === 'refused', resource)
