import type { Mutant } from './mutant'

const POOLER = ['test/faults/pooler.test.ts']
const PROMOTION = ['test/faults/promotion.test.ts']
const REPLICA = ['test/faults/replica.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'statement-mode-served',
    file: 'src/db/servers/pooler.ts',
    find: "if (pooler === 'statement')",
    replace: "if (before === 'statement')",
    means: 'A server starts on a pooler without transactions, and each change fails.',
    tests: POOLER,
  },
  {
    name: 'promotions-not-remembered',
    file: 'src/db/servers/primary.ts',
    find: 'timeline < latestOf(system) ? latestOf(system) : undefined',
    replace: 'timeline < 0 ? latestOf(system) : undefined',
    means: 'What is written while the promoted server is away goes to the one of old, and is lost.',
    tests: PROMOTION,
  },
  {
    name: 'old-primary-kept',
    file: 'src/db/servers/primary.ts',
    find: 'connections: leave(host.address.address)',
    replace: 'connections: leave.length',
    means: 'A process that was connected to the primary of old goes on writing there.',
    tests: PROMOTION,
  },
  {
    name: 'own-change-not-read',
    file: 'src/outbox/replicas.ts',
    find: 'currentAt !== undefined && then === received &&',
    replace: 'currentAt !== undefined && then <= received &&',
    means: 'Whoever has changed something reads what was before, and the cache keeps it.',
    tests: REPLICA,
  },
  {
    name: 'replica-of-any-age',
    file: 'src/outbox/replicas.ts',
    find: ' && performance.now() - currentAt < maxLagMs',
    replace: '',
    means: 'Lists are older than DATABASE_REPLICA_MAX_LAG allows.',
    tests: REPLICA,
  },
  {
    name: 'demoted-redis-kept',
    file: 'src/config/redis-address.ts',
    find: "error.message.startsWith('READONLY')",
    replace: "error.message.startsWith('OOM')",
    means: 'A Redis that was demoted is asked for ever, and takes no job.',
    tests: ['test/config/config.test.ts'],
  },
]
