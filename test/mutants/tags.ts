import type { Mutant } from './mutant'

export const mutants: Mutant[] = [
  {
    name: 'orders-share-a-moment',
    file: 'src/modules/passes/tags/queries.ts',
    find: "greatest(clock_timestamp(), max(${passes.createdAt}) + interval '1 ms')",
    replace: "date_trunc('hour', greatest(clock_timestamp(), max(${passes.createdAt})))",
    means: 'The file of an order holds the tags of another.',
    tests: ['test/modules/passes/tags'],
  },
  {
    name: 'file-outlives-the-role',
    file: 'src/modules/passes/tags/queries.ts',
    find: "is(users.role, 'admin'), ",
    replace: '',
    means: 'Somebody who is no administrator any more fetches blank tags.',
    tests: ['test/modules/passes/tags'],
  },
  {
    name: 'ended-tags-are-blank',
    file: 'src/modules/passes/tags/queries.ts',
    find: 'false: isNull(passes.claimedAt)',
    replace: 'false: isNull(passes.ownerId)',
    means: 'Tags of people who deleted their account are handed out again.',
    tests: ['test/modules/passes/tags'],
  },
  {
    name: 'models-are-pictures',
    file: 'src/modules/people/uploads/use.ts',
    find: "kind === 'model' ? contentType === MODEL_TYPE : isPictureType(contentType)",
    replace: "kind === 'model' || isPictureType(contentType)",
    means: 'A picture is taken for a 3D model.',
    tests: ['test/modules/passes/designs'],
  },
  {
    name: 'design-files-pile-up',
    file: 'src/modules/people/uploads/uses/queries.ts',
    find: `  'meetpass-image',
  'meetpass-model',
] satisfies`,
    replace: '] satisfies',
    means: 'Files that were uploaded for designs and never used stay for ever.',
    tests: ['test/modules/passes/designs'],
  },
  {
    name: 'taps-show-what-is-gone',
    file: 'src/modules/passes/designs/pictures.ts',
    find: "async (tx: Tx) => broadcast(tx, { type: 'designs.changed', data: {} })",
    replace: 'async (_tx: Tx) => void broadcast',
    means: 'A tap shows a picture that was deleted, for a minute.',
    tests: ['test/modules/passes/designs'],
  },
]
