import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'counts-again',
    file: 'src/modules/recognition/achievements/progress/queries.ts',
    find: 'const raised = await raise(tx, definition, userId, at, notExists(known))',
    replace: 'const raised = await raise(tx, definition, userId, at)',
    means: 'The same group counts three times.',
    tests: ['test/modules/recognition/achievements'],
  },
  {
    name: 'disabled-counts',
    file: 'src/modules/recognition/achievements/progress/queries.ts',
    find: `        achievements.enabled,
`,
    replace: '',
    means: 'What is switched off goes on counting.',
    tests: ['test/modules/recognition/achievements'],
  },
  {
    name: 'any-condition',
    file: 'src/modules/recognition/achievements/progress/count.ts',
    find: 'conditions.every((condition)',
    replace: 'conditions.some((condition)',
    means: 'One condition of three is enough.',
    tests: ['test/modules/recognition/achievements'],
  },
  {
    name: 'missing-field-is-like-all',
    file: 'src/modules/recognition/achievements/progress/count.ts',
    find: "if (found === undefined) return op === 'neq'",
    replace: "if (found === undefined) return op !== 'eq'",
    means: 'A domain event without a field counts as one that has it.',
    tests: ['test/modules/recognition/achievements'],
  },
]
