import type { Mutant } from './mutant'

const USE = 'src/modules/people/uploads/use.ts'
const QUERIES = 'src/modules/people/uploads/uses/queries.ts'
const UNUSED = 'src/modules/people/uploads/uses/unused.ts'
const USES = ['test/modules/people/uploads/uses']
const RACE = ['test/races/uploads-in-use.test.ts']

export const mutants: Mutant[] = [
  {
    name: 'somebody-elses-picture',
    file: USE,
    find: 'upload?.ownerId === userId || keyIn(before[place.field]) === key',
    replace: 'true',
    means: 'A person shows a file of somebody else, and learns whether it exists.',
    tests: USES,
  },
  {
    name: 'colleagues-picture-refused',
    file: USE,
    find: ' || keyIn(before[place.field]) === key',
    replace: '',
    means: 'A group cannot be renamed in a form that sends the photo which a colleague uploaded.',
    tests: USES,
  },
  {
    name: 'any-category-fits',
    file: USE,
    find: "(category === place.category || category === 'media') && ",
    replace: '',
    means: 'A file of a category that the sweep leaves alone, or takes for another, is shown anywhere.',
    tests: USES,
  },
  {
    name: 'model-as-picture',
    file: USE,
    find: ' && isPictureType(contentType)',
    replace: '',
    means: 'Pages show an attachment as a broken picture.',
    tests: USES,
  },
  {
    name: 'picture-not-held',
    file: QUERIES,
    find: ".orderBy(asc(uploads.id))\n    .for('no key update')\n\n/** Of these keys",
    replace: '.orderBy(asc(uploads.id))\n\n/** Of these keys',
    means: 'The sweep takes a picture away while it comes into use.',
    tests: RACE,
  },
  {
    name: 'picture-in-use-counts-as-unused',
    file: USE,
    find: 'if (held.some(({ unusedSince }) => unusedSince !== null))',
    replace: 'if (held.length < 0)',
    means: 'A picture that was shown again and taken down is removed at once.',
    tests: USES,
  },
  {
    name: 'uses-not-looked-at-again',
    file: UNUSED,
    find: 'const unused = files.filter(({ key }) => !used.has(key))',
    replace: 'const unused = files',
    means: 'A picture that came into use since it was noted is removed.',
    tests: USES,
  },
  {
    name: 'no-day-of-grace',
    file: UNUSED,
    find: 'lockUnused(tx, ago(DAY_MS), SLICE)',
    replace: 'lockUnused(tx, ago(0), SLICE)',
    means: 'A picture is gone before its owner has shown it.',
    tests: USES,
  },
  {
    name: 'kept-files-swept',
    file: QUERIES,
    find: '.where(and(sql`${uploads.id} > ${after}::uuid`, isReady, isForUse))',
    replace: '.where(and(sql`${uploads.id} > ${after}::uuid`, isReady))',
    means: 'Files that people keep for their own sake are removed.',
    tests: USES,
  },
  {
    name: 'removal-of-unused-untold',
    file: UNUSED,
    find: 'unused.flatMap(({ key, ownerId }) => (ownerId === null ? [] : [{ userId: ownerId, key }])),',
    replace: '[],',
    means: 'A webhook does not hear that a file is gone, and its bytes stay until the next sweep.',
    tests: USES,
  },
  {
    name: 'portfolio-shows-what-is-gone',
    file: 'src/pictures.ts',
    find: '  ...portfolioPictures,\n',
    replace: '',
    means: 'A portfolio goes on showing a picture that was deleted.',
    tests: USES,
  },
  {
    name: 'pictures-of-deleted-group-stay',
    file: 'src/modules/community/groups/manage/actions.ts',
    find: '      await endPictures(tx, pictures)\n',
    replace: '',
    means: 'The pictures of a deleted group are served for another day.',
    tests: USES,
  },
  {
    name: 'pictures-of-account-untold',
    file: 'src/modules/people/uploads/end.ts',
    find: 'removed.filter(({ file }) => file !== null)',
    replace: 'removed.filter(({ file }) => file === null)',
    means: 'Groups go on showing pictures of somebody whose account is gone.',
    tests: USES,
  },
  {
    name: 'our-host-as-another-server',
    file: 'src/modules/people/uploads/key.ts',
    find: '!isOurHost(url.host)',
    replace: "!address.startsWith('http://localhost/')",
    means: 'Somebody else’s file is shown by spelling our name otherwise.',
    tests: USES,
  },
]
