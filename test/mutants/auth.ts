import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'secrets-kept-in-clear',
    file: 'src/auth/hashing.ts',
    find: 'Bun.SHA256.hash(secret) as Uint8Array',
    replace: 'new TextEncoder().encode(secret.padEnd(32))',
    means: 'Whoever steals a backup signs in as everyone.',
    tests: ['test/house/secrets.test.ts'],
  },
]
