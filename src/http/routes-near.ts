import { traitsOf } from './handle'
import { DOCUMENT, type Traits } from './route-traits'

type Mounted = { method: string; path: string; handler: unknown }
export type Known = { method: string; path: string; segments: string[]; traits: Traits }

let known = new Map<string, Known[]>()

/** Called once, with all routes. */
export function learnRoutes(routes: readonly Mounted[]) {
  const all = routes.map(({ method, path, handler }) => ({
    method,
    path,
    segments: segmentsOf(path),
    traits: traitsOf(handler) ?? DOCUMENT,
  }))
  known = Map.groupBy(all, ({ segments }) => segments[0] as string)
}

export const routesBeside = (path: string): readonly Known[] => known.get(segmentsOf(path)[0] as string) ?? []

/**
 * The traits of an address without a route for its verb: those of its other verbs, or of its nearest neighbour. Guessed by path
 * only here, so that a misspelt address is counted and readable like the intended one.
 */
export function traitsNear(path: string): Traits {
  const asked = segmentsOf(path)
  const near = routesBeside(path)
  const meant = near.find(({ segments }) => fits(segments, asked)) ?? nearest(near, asked)
  return meant?.traits ?? DOCUMENT
}

/** The longest common prefix; the first on a tie. */
function nearest(near: readonly Known[], asked: string[]): Known | undefined {
  let [found, most] = [near[0], 1]
  for (const one of near) {
    const shared = sharedBy(one.segments, asked)
    if (shared > most) [found, most] = [one, shared]
  }
  return found
}

export function sharedBy(pattern: string[], asked: string[]): number {
  const differs = pattern.findIndex((segment, at) => segment !== asked[at])
  return differs === -1 ? pattern.length : differs
}

export const segmentsOf = (path: string) => path.split('/').slice(1)

export const isName = (segment: string) => segment.startsWith(':')

export const fits = (pattern: string[], asked: string[]) =>
  pattern.length === asked.length && pattern.every((segment, at) => isName(segment) || segment === asked[at])
