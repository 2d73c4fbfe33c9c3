import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'rarity-by-rounded',
    file: 'src/modules/recognition/badges/present.ts',
    find: 'share < below',
    replace: 'Math.round(share * 10) / 10 < below',
    means: 'A badge is common that is rare.',
    tests: ['test/modules/recognition/badges'],
  },
  {
    name: 'points-over-limit',
    file: 'src/modules/recognition/badges/manage/actions.ts',
    find: `      demandPoints(change, group)
`,
    replace: '',
    means: 'A group gives as many points as it likes by changing a badge.',
    tests: ['test/modules/recognition/badges'],
  },
  {
    name: 'score-not-told',
    file: 'src/modules/recognition/badges/award.ts',
    find: `if (change !== 0 && !hidden) await emit(tx, 'score.changed', { userId, groupId, change })`,
    replace: 'void [change, hidden]',
    means: 'Nobody hears of scores.',
    tests: ['test/modules/recognition/badges'],
  },
  {
    name: 'hidden-is-known-to-strangers',
    file: 'src/modules/recognition/badges/visible.ts',
    find: 'caller !== null && holds(',
    replace: 'caller === null || holds(',
    means: 'A page shows hidden badges to anyone.',
    tests: ['test/house/strangers.test.ts'],
  },
]
