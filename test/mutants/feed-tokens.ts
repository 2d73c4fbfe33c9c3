import type { Mutant } from './mutant'

const FEED_TOKENS = ['test/modules/access/feed-tokens']

export const mutants: Mutant[] = [
  {
    name: 'rotated-in-cache',
    file: 'src/modules/access/feed-tokens/cache.ts',
    find: `type === 'feed_token.rotated' || `,
    replace: '',
    means: 'Whoever knows the old address of a feed reads it for another hour.',
    tests: FEED_TOKENS,
  },
  {
    name: 'suspended-in-cache',
    file: 'src/modules/access/feed-tokens/cache.ts',
    find: ` || type === 'user.suspended'`,
    replace: '',
    means: 'The feed of somebody suspended goes on for another hour.',
    tests: FEED_TOKENS,
  },
  {
    name: 'deleted-in-cache',
    file: 'src/modules/access/feed-tokens/cache.ts',
    find: ` || type === 'user.deleted'`,
    replace: '',
    means: 'The feed of somebody who deleted their account goes on for another hour.',
    tests: FEED_TOKENS,
  },
  {
    name: 'suspended-owner',
    file: 'src/modules/access/feed-tokens/cache.ts',
    find: 'found?.suspendedAt === null ?',
    replace: 'found ?',
    means: 'Somebody suspended keeps their feed.',
    tests: FEED_TOKENS,
  },
  {
    name: 'garbage-asks-the-database',
    file: 'src/modules/access/feed-tokens/cache.ts',
    find: 'isFeedToken(token) ? owners.get(token) : null',
    replace: `token.startsWith('fm_feed_') ? owners.get(token) : null`,
    means: 'Every invented address costs the database a question.',
    tests: FEED_TOKENS,
  },
  {
    name: 'two-first-tokens',
    file: 'src/modules/access/feed-tokens/issue.ts',
    find: `  await lockOwner(tx, userId)
  const kept`,
    replace: '  const kept',
    means: 'Of two first reads at once one gets a token that is dead already.',
    tests: FEED_TOKENS,
  },
  {
    name: 'unlocked-rotation',
    file: 'src/modules/access/feed-tokens/issue.ts',
    find: `  await lockOwner(tx, userId)
  const hadOne`,
    replace: '  const hadOne',
    means: 'Of two rotations at once one is refused.',
    tests: FEED_TOKENS,
  },
  {
    name: 'silent-rotation',
    file: 'src/modules/access/feed-tokens/issue.ts',
    find: `if (hadOne) await emit(tx, 'feed_token.rotated', { userId })`,
    replace: 'void emit, void hadOne',
    means: 'Nobody hears of a rotation, so every process goes on to serve the old address.',
    tests: FEED_TOKENS,
  },
  {
    name: 'unopened-seal-fails',
    file: 'src/modules/access/feed-tokens/secrets.ts',
    find: '    return null',
    replace: `    throw new Error('sealed with another key')`,
    means: 'After a change of SECRET_KEY nobody can read their feed token, or get another one.',
    tests: FEED_TOKENS,
  },
  {
    name: 'seal-without-row',
    file: 'src/modules/access/feed-tokens/secrets.ts',
    find: 'Buffer.from(open(sealed, id)).toString()',
    replace: `Buffer.from(open(sealed, '')).toString()`,
    means: 'A kept token is lost on the next read.',
    tests: FEED_TOKENS,
  },
  {
    name: 'rotation-is-replayed',
    file: 'src/modules/access/feed-tokens/actions.ts',
    find: `  secret: true,
  run: ({ userId }) =>`,
    replace: '  run: ({ userId }) =>',
    means: 'The token lies readable in the database for a day.',
    tests: [...FEED_TOKENS, 'test/house/secrets.test.ts'],
  },
]
