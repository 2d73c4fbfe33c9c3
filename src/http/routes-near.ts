import { traitsOf } from './handle'
import { PLAIN, type Traits } from './traits'

type Mounted = { path: string; handler: unknown }
type Known = { segments: string[]; traits: Traits }

let known = new Map<string, Known[]>()

/** Told once by whoever mounts all routes. */
export function learnRoutes(routes: readonly Mounted[]) {
  const all = routes.map(({ path, handler }) => ({
    segments: segmentsOf(path),
    traits: traitsOf(handler) ?? PLAIN,
  }))
  known = Map.groupBy(all, ({ segments }) => segments[0] as string)
}

/**
 * The traits of an address that has no route for its verb: those of its other verbs, or else of its first neighbour. Here
 * alone they are guessed by path, so that a misspelt address is counted and readable like the one that was meant.
 */
export function traitsNear(path: string): Traits {
  const asked = segmentsOf(path)
  const near = known.get(asked[0] as string) ?? []
  return (near.find(({ segments }) => fits(segments, asked)) ?? near[0])?.traits ?? PLAIN
}

const segmentsOf = (path: string) => path.split('/').slice(1)

const fits = (pattern: string[], asked: string[]) =>
  pattern.length === asked.length &&
  pattern.every((segment, at) => segment.startsWith(':') || segment === asked[at])
