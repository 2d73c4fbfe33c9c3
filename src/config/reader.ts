import { isIP } from 'node:net'
import { ConfigError } from './error'

/** Reads settings by name. Errors name the variable. */
export function reader(environment: Record<string, string | undefined>) {
  const raw = (name: string) => environment[name]?.trim() || undefined
  const whole = (name: string, value: string, min: number, max: number, or = '') => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < min || number > max)
      throw new ConfigError(`${name} must be ${or}a whole number from ${min} to ${max}.`)
    return number
  }
  const list = (name: string) =>
    (raw(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  return {
    text: (name: string, fallback: string) => raw(name) ?? fallback,
    line: (name: string, fallback: string, max: number) => {
      const value = raw(name) ?? fallback
      if (value.length > max || /[\u0000-\u001f\u007f]/.test(value))
        throw new ConfigError(`${name} must be one line of at most ${max} characters.`)
      return value
    },
    list,
    /** `or` is the alternative value, for the error message. */
    whole: (name: string, fallback: number, min: number, max: number, or?: string) => {
      const value = raw(name)
      return value === undefined ? fallback : whole(name, value, min, max, or)
    },
    optionalWhole: (name: string, min: number, max: number) => {
      const value = raw(name)
      return value === undefined ? null : whole(name, value, min, max)
    },
    choice: <const T extends string>(name: string, choices: readonly T[], fallback: NoInfer<T>): T => {
      const value = raw(name)
      if (value === undefined) return fallback
      const found = choices.find((choice) => choice === value)
      if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}.`)
      return found
    },
    address: (name: string, schemes: string[], parses: (value: string) => boolean = URL.canParse) => {
      const value = raw(name)
      if (value === undefined) return null
      const begins = schemes.map((scheme) => `${scheme}//`)
      if (!begins.some((beginning) => value.startsWith(beginning)))
        throw new ConfigError(`${name} must be an address that begins with ${begins.join(' or ')}`)
      if (!parses(value))
        throw new ConfigError(`${name} must be an address: its host or its port (at most 65535) is none.`)
      return value
    },
    origin: (name: string) => {
      const value = raw(name)
      return value === undefined ? null : checkOrigin(name, value)
    },
    origins: (name: string) => list(name).map((value) => checkOrigin(name, value)),
    ranges: (name: string) => list(name).map((value) => checkRange(name, value)),
    hosts: (name: string) => list(name).map((value) => checkHostName(name, value)),
    pair: (idName: string, secretName: string) => {
      const [clientId, clientSecret] = [raw(idName), raw(secretName)]
      if (!clientId && !clientSecret) return null
      if (!clientId || !clientSecret)
        throw new ConfigError(`${idName} and ${secretName} go together: set both or neither.`)
      return { clientId, clientSecret }
    },
  }
}

export type Reader = ReturnType<typeof reader>

export function checkOrigin(name: string, value: string, such = 'https://folkmoot.example'): string {
  const url = URL.parse(value)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  )
    throw new ConfigError(`${name} must be an origin such as ${such}, without a path.`)
  return url.origin
}

function checkRange(name: string, value: string): string {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? []
  const version = isIP(address)
  if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128))
    throw new ConfigError(`${name} must be a comma list of addresses or ranges such as 10.0.0.0/8.`)
  return value
}

function checkHostName(name: string, value: string): string {
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(value))
    throw new ConfigError(`${name} must be a comma list of host or host:port.`)
  return value.toLowerCase()
}
