import type { Running } from '@/processes/start-api'

let base = ''

export const useApi = (running: Running) => {
  base = running.url
}

export const apiUrl = () => base

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
export type Json = any

export type Answer = { status: number; headers: Headers; text: string; body: Json }

type Options = {
  /** A personal token, sent as bearer. */
  token?: string
  /** A session's cookie, sent the way a page of ours would. */
  session?: string
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream
  headers?: Record<string, string>
  base?: string
}

let strangers = 0

/** Real limits stay on, so every anonymous call comes from an address of its own, behind a trusted proxy. */
const nextAddress = () => {
  strangers += 1
  return `10.${(strangers >> 16) & 255}.${(strangers >> 8) & 255}.${strangers & 255}`
}

/** HTTP in, HTTP out. */
export async function call(method: string, path: string, options: Options = {}): Promise<Answer> {
  const headers: Record<string, string> = {
    'x-forwarded-for': nextAddress(),
    ...(options.token && { authorization: `Bearer ${options.token}` }),
    ...(options.session && { cookie: `session=${options.session}`, 'sec-fetch-site': 'same-origin' }),
    ...(options.json !== undefined && { 'content-type': 'application/json' }),
    ...options.headers,
  }
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  const response = await fetch((options.base ?? base) + path, { method, headers, body, redirect: 'manual' })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  }
}

export const get = (path: string, options?: Options) => call('GET', path, options)
export const post = (path: string, options?: Options) => call('POST', path, options)
export const patch = (path: string, options?: Options) => call('PATCH', path, options)
export const del = (path: string, options?: Options) => call('DELETE', path, options)
