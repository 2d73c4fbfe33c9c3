import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import ts from 'typescript-5'
import { refusals } from '@/core/refusals'
import { translated } from '@/web/error-page'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'

const ROOT = join(import.meta.dir, '..', '..')

/** Sentences here reach programs only: no page speaks these protocols, no form makes these requests. */
const FOR_PROGRAMS = [
  /^src\/modules\/access\/oauth\/(token|client-registration)\//,
  /^src\/modules\/access\/oauth\/(endpoint|clients|refusal|scopes|pkce|parameters)\.ts$/,
  /^src\/modules\/gatherings\/(feeds|sync|widgets)\//,
  /^src\/modules\/developers\/schemas\//,
  /^src\/modules\/administration\/(users\/operator|jobs\/dead)\//,
  /^src\/modules\/people\/uploads\/(receive|serve)\//,
  /^src\/(mcp|outbound|lifecycle|cli|demo|jobs)\//,
  /^src\/http\/(address|body|idempotency|cors|downloads|openapi|limits)/,
  /^src\/(words\/|core\/errors)/,
]

/** Composed from a schema or an address; pages translate them by pattern. */
const COMPOSED = [
  'src/core/parse.ts',
  'src/modules/community/groups/manage/links.ts',
  'src/modules/developers/webhooks/destination.ts',
]

/** Which argument of a maker is the sentence. */
const MAKERS: Record<string, number> = {
  badRequest: 0,
  conflict: 0,
  forbidden: 0,
  gone: 0,
  invalid: 0,
  badLink: 0,
  invalidField: 1,
  AppError: 1,
  PageRefusal: 1,
}

test('rules refuse people by key, so that every sentence has its translations', () => {
  const files = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].sort()
  const bare = files
    .filter((file) => !FOR_PROGRAMS.some((pattern) => pattern.test(file)))
    .flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        ts.sys.readFile(join(ROOT, file)) ?? '',
        ts.ScriptTarget.Latest,
        true,
      )
      const found: string[] = []
      const walk = (node: ts.Node) => {
        if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
          const sentence = node.arguments?.[MAKERS[node.expression.getText(source)] ?? -1]
          if (sentence && (ts.isStringLiteralLike(sentence) || ts.isTemplateExpression(sentence)))
            found.push(file)
        }
        ts.forEachChild(node, walk)
      }
      walk(source)
      return found
    })
  expect(bare).toEqual(COMPOSED)
})

/** Names of fields, types and protocols: words of the API, not of pages. */
const MACHINE_WORDS =
  /[a-z][A-Z]|[a-z]_[a-z]|\b(?:slugs?|urlname|ids?|IANA|Unicode|cursor|scopes?|body|client|object|list of|true or false)\b|GET \/|form-data|urlencoded|\d\d:\d\d/

const SENTENCES = Object.values(refusals).map((sentence) =>
  typeof sentence === 'string' ? sentence : sentence('7'),
)

test.each([
  ...SENTENCES,
  'must be a time such as 2026-05-01T18:30:00Z',
  'must be a list of 1 to 100 items',
  'must be one of physical, online, hybrid',
])('pages say “%s” without words of the API', (sentence) => {
  expect(translated(sentence, wordsIn('en'))).not.toMatch(MACHINE_WORDS)
})

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  const say = (sentence: string) => translated(sentence, wordsIn(language))

  test('every sentence is found by its English text, as rows of failed jobs hold it', () => {
    expect(SENTENCES.filter((sentence) => say(sentence) === undefined || say(sentence) === sentence)).toEqual(
      [],
    )
  })

  test('values are kept, and reasons of schemas are translated', () => {
    expect(say('Too many requests: try again in 40 seconds')).toContain('in 40 Sekunden')
    expect(say('Too many attempts to sign in failed: try again in 1 second')).toContain('in einer Sekunde')
    expect(say('Event not found')).toBe('Diese Veranstaltung gibt es nicht')
    expect(say('must be 1 to 80 characters on one line')).toBe('muss 1 bis 80 Zeichen in einer Zeile haben')
    expect(say('must be at most 500 characters')).toBe('darf höchstens 500 Zeichen haben')
    expect(say('must be a whole number from 1 to 10')).toBe('muss eine Zahl von 1 bis 10 sein')
  })
})
