import type { Mutant } from './mutant'

const API = ['test/house/api-changes.test.ts']
const SCHEMA = ['test/house/schema.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'scope-narrowed-unseen',
    file: 'scripts/api/breaking.ts',
    find: 'if (!now.some((lock) => opens(key, lock)))',
    replace: 'if (!key)',
    means: 'A release asks for another scope, and nobody is told before their application fails.',
    tests: API,
  },
  {
    name: 'answer-lost-unseen',
    file: 'scripts/api/breaking.ts',
    find: 'if (!isGoneWithItsParent(field, now)) yield `${path} is gone`',
    replace: '',
    means: 'A release drops a property of an answer, and nobody is told.',
    tests: API,
  },
  {
    name: 'another-release-tells',
    file: 'scripts/api/breaking.ts',
    find: "/^## /m, 'Unreleased')",
    replace: "/^## /m, '')",
    means: 'A line of an earlier release excuses breaking the same operation again.',
    tests: API,
  },
  {
    name: 'baseline-loses-descriptions',
    file: 'scripts/api/document.ts',
    find: " && (typeof value !== 'object' || Array.isArray(value))",
    replace: '',
    means: 'Fields that are called description are not watched.',
    tests: API,
  },
  {
    name: 'not-null-unnamed',
    file: 'scripts/schema/catalog.ts',
    find: "case when attnotnull then 'NOT NULL' end)",
    replace: 'null)',
    means: 'docs/schema.sql shows columns as optional that are not.',
    tests: SCHEMA,
  },
]
