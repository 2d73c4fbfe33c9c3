import type { Named } from './choose'

type Tree = { has(path: string): boolean; read(file: string): string }

/** The mutated file, or why the mutant no longer applies. */
export function applied(
  { file, find, replace, tests }: Named,
  tree: Tree,
): { text: string } | { fault: string } {
  const missing = tests.find((path) => !tree.has(path))
  if (missing) return { fault: `there is no ${missing}` }
  const text = tree.has(file) ? tree.read(file) : ''
  const places = text.split(find).length - 1
  if (places !== 1) return { fault: `its text stands ${places} times in ${file}` }
  const mutated = text.replace(find, () => replace)
  const fault = file.endsWith('.ts') && syntaxFault(mutated)
  return fault ? { fault: `it is no TypeScript: ${fault}` } : { text: mutated }
}

function syntaxFault(text: string): string | undefined {
  try {
    new Bun.Transpiler({ loader: 'ts' }).transformSync(text)
  } catch (error) {
    return String(error).split('\n')[0]
  }
}
