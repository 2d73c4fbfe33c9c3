import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'shy-on-group-board',
    file: 'src/modules/recognition/leaderboards/queries.ts',
    find: 's.xp > 0 and u.is_public and u.show_on_leaderboard is not false',
    replace: 's.xp > 0 and u.is_public',
    means: 'People who opted out stand on the board.',
    tests: ['test/modules/recognition/leaderboards'],
  },
  {
    name: 'movers-with-nothing',
    file: 'src/modules/recognition/leaderboards/queries.ts',
    find: 'group by user_id having sum(change) > 0',
    replace: 'group by user_id having sum(change) >= 0',
    means: 'People move who gained nothing.',
    tests: ['test/modules/recognition/leaderboards'],
  },
  {
    name: 'tie-by-name',
    file: 'src/modules/recognition/leaderboards/queries.ts',
    find: 'order by s.xp desc, s.reached_at, lower(u.username)) as place',
    replace: 'order by s.xp desc, lower(u.username)) as place',
    means: 'Whoever reached a score first stands behind.',
    tests: ['test/modules/recognition/leaderboards'],
  },
]
