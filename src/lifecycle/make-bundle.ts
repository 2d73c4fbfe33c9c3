import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { BEGINNINGS, BUNDLE, beginningsIn, ROOT, STAMP, type Stamp, stateOf } from './bundle'

const TRIES = 3

process.chdir(ROOT)

/** Files that affect the bundle without being in it. */
const SURROUNDINGS = ['bun.lock', 'tsconfig.json', ...new Bun.Glob('patches/*').scanSync()]

/** Bundles all entries into one file with bytecode. Returns the sources. */
async function build(): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: ['src/parts.ts'],
    outdir: 'dist',
    naming: 'folkmoot.js',
    target: 'bun',
    // The only format with bytecode. Names are kept, because Elysia reads the source of handlers. No source map: the runtime
    // would parse the whole map on the first error, blocking for 130 ms. The log only needs the source of a line.
    format: 'cjs',
    bytecode: true,
    metafile: true,
  })
  const inputs = Object.keys(metafile?.inputs ?? {})
  const beginnings = beginningsIn(readFileSync(BUNDLE, 'utf8'), new Set(inputs))
  if (beginnings.length < inputs.length / 2) throw new Error('The bundle does not name its sources')
  await Bun.write(BEGINNINGS, JSON.stringify(beginnings))
  return [...inputs.filter((name) => !name.includes('node_modules')), ...SURROUNDINGS].sort()
}

/** A source saved since the build began may have been read before or after. */
async function buildOfQuietSources(): Promise<string[] | undefined> {
  for (let i = 0; i < TRIES; i += 1) {
    const beganAtMs = Math.floor(Date.now() / 1000) * 1000
    const sources = await build()
    if (sources.every((source) => statSync(source).mtimeMs < beganAtMs)) return sources
    await Bun.sleep(1000)
  }
  return undefined
}

// A bundle without its stamp is not used.
rmSync(STAMP, { force: true })
mkdirSync('dist', { recursive: true })
const sources = await buildOfQuietSources()
if (sources) {
  const stamp: Stamp = { root: ROOT, bun: Bun.version, sources, state: stateOf(sources) }
  await Bun.write(`${STAMP}.new`, JSON.stringify(stamp))
  renameSync(`${STAMP}.new`, STAMP)
  console.log(`${BUNDLE} was made of ${sources.length} files.`)
} else {
  console.error('No bundle was made, because source files changed meanwhile: run "bun run build" again.')
  process.exitCode = 1
}
