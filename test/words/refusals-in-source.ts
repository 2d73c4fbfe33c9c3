import { join } from 'node:path'
import ts from 'typescript-5'

const ROOT = join(import.meta.dir, '..', '..')

/** Where sentences are for programs alone, by protocols that no page speaks and requests that no form makes. */
const FOR_PROGRAMS = [
  /^src\/modules\/access\/oauth\/(token|client-registration)\//,
  /^src\/modules\/access\/oauth\/(endpoint|clients|refusal|scopes|pkce|parameters)\.ts$/,
  /^src\/modules\/gatherings\/(feeds|sync|widgets)\//,
  /^src\/modules\/developers\/schemas\//,
  /^src\/modules\/administration\/(users\/operator|jobs\/dead)\//,
  /^src\/modules\/people\/uploads\/(receive|serve)\//,
  /^src\/(mcp|outbound|lifecycle|cli|demo|jobs)\//,
  /^src\/http\/(body|idempotency|cors|downloads|openapi|host|limits|hosts)/,
]

/** Which argument of each maker of refusals is said to people, and how it becomes a sentence. */
const MAKERS: Record<string, { argument: number; sentence?: (text: string) => string }> = {
  badRequest: { argument: 0 },
  conflict: { argument: 0 },
  forbidden: { argument: 0 },
  gone: { argument: 0 },
  invalid: { argument: 0 },
  badLink: { argument: 0 },
  notFound: { argument: 0, sentence: (thing) => `${thing} not found` },
  invalidField: { argument: 1 },
  AppError: { argument: 1 },
  PageRefusal: { argument: 1 },
}

export type Refusal = { text: string; file: string }

/** Every sentence of a refusal that stands in the source; a value in it reads as 7. What is made elsewhere is not seen. */
export function refusalsInSource(): Refusal[] {
  const files = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].filter(
    (file) => !FOR_PROGRAMS.some((pattern) => pattern.test(file)) && file !== 'src/core/errors.ts',
  )
  return files.sort().flatMap((file) => {
    const text = ts.sys.readFile(join(ROOT, file)) ?? ''
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const constants = constantsOf(source)
    const found: Refusal[] = []
    const walk = (node: ts.Node) => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const maker = MAKERS[node.expression.getText(source)]
        const argument = maker && node.arguments?.[maker.argument]
        if (argument)
          for (const said of textsOf(argument, constants))
            found.push({ text: maker.sentence?.(said) ?? said, file })
      }
      ts.forEachChild(node, walk)
    }
    walk(source)
    return found
  })
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsOf(source: ts.SourceFile): Constants {
  const found = new Map<string, ts.Expression>()
  const walk = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      found.set(node.name.text, node.initializer)
    ts.forEachChild(node, walk)
  }
  walk(source)
  return found
}

/** The texts that an expression can be, as far as this file says. */
function textsOf(node: ts.Expression, constants: Constants): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, constants)
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join('')]
  if (ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue, constants), ...textsOf(node.whenFalse, constants)]
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return textsOf(node.left, constants).flatMap((left) =>
      textsOf(node.right, constants).map((right) => left + right),
    )
  const constant = ts.isIdentifier(node) ? constants.get(node.text) : undefined
  return constant && ts.isStringLiteralLike(constant) ? [constant.text] : []
}
