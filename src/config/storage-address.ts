import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './error'
import { checkOrigin } from './reader'

export type Keys = { accessKey: string; secretKey: string }

export type S3Address = Keys & {
  kind: 's3'
  endpoint: string
  region: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
}

export type StorageAddress = { kind: 'disk'; folder: string } | S3Address

const FORM = 's3://bucket/optional-prefix?endpoint=https://s3.example&region=…'
const REGION = 'us-east-1'

/** Parses the address of a storage; `name` is the setting or option for error messages. */
export function storageAddress(name: string, value: string, keys: Keys | null): StorageAddress {
  const url = URL.parse(value)
  if (url?.protocol === 'file:') return { kind: 'disk', folder: folderOf(name, url) }
  if (url?.protocol === 's3:') return s3Address(name, url, keys)
  throw new ConfigError(`${name} must be file:///path/of/a/folder or ${FORM}`)
}

function folderOf(name: string, url: URL): string {
  if (url.host || url.search || url.hash || url.pathname === '/' || /%2f|%00/i.test(url.pathname))
    throw new ConfigError(`${name} must be a folder of this machine such as file:///srv/folkmoot/uploads`)
  return resolve(fileURLToPath(url))
}

function s3Address(name: string, url: URL, keys: Keys | null): S3Address {
  if (url.username || url.password)
    throw new ConfigError(`${name} must not hold keys: set STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY.`)
  const foreign = [...url.searchParams.keys()].find((key) => key !== 'endpoint' && key !== 'region')
  if (foreign || url.hash || url.port) throw new ConfigError(`${name} must have the form ${FORM}`)
  if (!/^[a-z0-9][a-z0-9._-]{1,62}$/i.test(url.hostname))
    throw new ConfigError(`${name} must name a bucket: ${FORM}`)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^([\w.-]+(\/[\w.-]+)*)?$/.test(prefix) || prefix.length > 200)
    throw new ConfigError(`The prefix in ${name} may hold letters, digits, dots, dashes and slashes.`)
  const region = url.searchParams.get('region') ?? REGION
  if (!/^[a-z0-9-]{1,40}$/i.test(region)) throw new ConfigError(`The region in ${name} is not one.`)
  if (keys === null)
    throw new ConfigError('STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY are required with an s3: address.')
  return {
    kind: 's3',
    endpoint: endpointOf(name, url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`),
    region,
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    ...keys,
  }
}

const endpointOf = (name: string, value: string): string =>
  checkOrigin(`The endpoint in ${name}`, value, 'https://s3.example')
