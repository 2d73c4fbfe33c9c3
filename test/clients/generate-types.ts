import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The types that openapi-typescript makes of a description, with its own defaults. It needs the compiler API of
 * TypeScript 5, which TypeScript 7 no longer has: so it is bundled with that one, and runs beside ours.
 */
export async function generateTypes(description: string, folder: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'openapi-typescript.ts')],
    target: 'bun',
    outdir: folder,
    plugins: [
      {
        name: 'typescript-5',
        setup: (build) => {
          build.onResolve({ filter: /^typescript$/ }, () => ({
            path: Bun.resolveSync('typescript-5', import.meta.dir),
          }))
        },
      },
    ],
  })
  if (!built.success) throw new AggregateError(built.logs)
  const { generate } = await import(join(folder, 'openapi-typescript.js'))
  return generate(pathToFileURL(description))
}
