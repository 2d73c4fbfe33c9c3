import type { Mutant } from './mutant'

const GROUND = 'test/modules/ground'

export const mutants: Mutant[] = [
  {
    name: 'relay-without-sweep',
    file: 'workers/outbox-relay.ts',
    find: 'await ring(await sweepReactions())',
    replace: '',
    means: 'A reaction whose job got lost, or failed once, never happens.',
    tests: [`${GROUND}/jobs.test.ts`],
  },
  {
    name: 'relay-looks-only-when-rung',
    file: 'workers/outbox-relay.ts',
    find: 'await Promise.race([rung, Bun.sleep(LOOK_MS)])',
    replace: 'await rung',
    means: 'What was written while nobody listened is taken up when something else happens.',
    tests: [`${GROUND}/jobs.test.ts`],
  },
]
