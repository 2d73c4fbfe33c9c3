import type { Mutant } from './mutant'

const GROUND = 'test/modules/ground'

export const mutants: Mutant[] = [
  {
    name: 'no-retry-after-deadlock',
    file: 'src/db/conflicts.ts',
    find: "['40001', '40P01'].includes",
    replace: "['40001'].includes",
    means: 'One of two people who meet head-on is sent away.',
    tests: [`${GROUND}/transactions.test.ts`],
  },
  {
    name: 'no-retry-after-serialisation-failure',
    file: 'src/db/conflicts.ts',
    find: "['40001', '40P01'].includes",
    replace: "['40P01'].includes",
    means: 'One of two who change the same is sent away.',
    tests: [`${GROUND}/transactions.test.ts`],
  },
  {
    name: 'no-second-attempt',
    file: 'src/db/transaction.ts',
    find: 'attempt >= 4 ||',
    replace: 'attempt >= 1 ||',
    means: 'One of two people who meet head-on is sent away.',
    tests: [`${GROUND}/transactions.test.ts`],
  },
  {
    name: 'facts-of-failed-attempt-announced',
    file: 'src/db/transaction.ts',
    find: `  for (let attempt = 1; ; attempt += 1) {
    const facts: Notice[] = []`,
    replace: `  const facts: Notice[] = []
  for (let attempt = 1; ; attempt += 1) {`,
    means: 'What is tried again is announced twice.',
    tests: [`${GROUND}/transactions.test.ts`],
  },
  {
    name: 'notices-too-long',
    file: 'src/db/doorbell.ts',
    find: 'const NOTICE_BYTES_MAX = 7000',
    replace: 'const NOTICE_BYTES_MAX = 70_000',
    means: 'PostgreSQL refuses the notice, and other processes never hear of anything again.',
    tests: [`${GROUND}/notices.test.ts`],
  },
  {
    name: 'long-notice-cut',
    file: 'src/db/doorbell.ts',
    find: 'return [...packed(from, facts.slice(0, middle)), ...packed(from, facts.slice(middle))]',
    replace: 'return [...packed(from, facts.slice(0, middle))]',
    means: 'Of many revocations at once, other processes hear half.',
    tests: [`${GROUND}/notices.test.ts`],
  },
  {
    name: 'large-fact-dropped',
    file: 'src/db/doorbell.ts',
    find: 'if (facts.length === 1) return [JSON.stringify({ from })]',
    replace: 'if (facts.length === 1) return []',
    means: 'A fact that is too large to send leaves the memories of other processes as they were.',
    tests: [`${GROUND}/notices.test.ts`],
  },
  {
    name: 'too-many-facts-dropped',
    file: 'src/db/doorbell.ts',
    find: 'facts.length > FACTS_MAX ? [JSON.stringify({ from: self })] : packed(self, facts)',
    replace: 'facts.length > FACTS_MAX ? [] : packed(self, facts)',
    means: 'A storm of changes leaves the memories of other processes as they were.',
    tests: [`${GROUND}/notices.test.ts`],
  },
  {
    name: 'facts-swept-young',
    file: 'workers/sweeps.ts',
    find: 'deleteOldFacts(db, ago(7 * DAY_MS))',
    replace: 'deleteOldFacts(db, ago(DAY_MS))',
    means: 'Nobody can look up what happened the day before yesterday.',
    tests: [`${GROUND}/sweeps.test.ts`],
  },
  {
    name: 'facts-swept-while-pending',
    file: 'src/db/reactions.ts',
    find: "and ${reactions.status} = 'pending')`",
    replace: "and ${reactions.status} = 'dead')`",
    means: 'What a listener still had to do is forgotten.',
    tests: [`${GROUND}/sweeps.test.ts`],
  },
  {
    name: 'keys-swept-young',
    file: 'workers/sweeps.ts',
    find: 'deleteOldKeys(db, ago(DAY_MS))',
    replace: 'deleteOldKeys(db, now())',
    means: 'A request that is repeated after ten minutes is done twice.',
    tests: [`${GROUND}/sweeps.test.ts`],
  },
]
