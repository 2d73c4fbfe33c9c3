import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE, ROOT } from './bundle'

/** The first line of each source in the bundle. */
export type Beginning = [line: number, source: string]

export const BEGINNINGS = join(ROOT, 'dist/sources.json')

/** The bundler writes the name of each source before it. */
export function beginningsIn(bundle: string, sources: ReadonlySet<string>): Beginning[] {
  return bundle.split('\n').flatMap((text, at): Beginning[] => {
    const name = text.startsWith('// ') ? text.slice(3) : ''
    return sources.has(name) ? [[at + 1, name]] : []
  })
}

let beginnings: Beginning[] | undefined

/** The source of a line; undefined if unknown in the bundle. */
export function sourceOf(file: string, line: number): string | undefined {
  if (file !== BUNDLE) return file
  beginnings ??= readBeginnings()
  return beginnings.findLast(([first]) => first <= line)?.[1]
}

function readBeginnings(): Beginning[] {
  try {
    return JSON.parse(readFileSync(BEGINNINGS, 'utf8')) as Beginning[]
  } catch {
    return []
  }
}
