import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { daysAgo } from './people'
import { badgesNamed, insertRecognition } from './queries'

/** Platform badges in addition to the default ones. */
const PLATFORM = [
  ['Founding Member', 'founding-member', 'Was here when the town was small.', '🌱', '#22c55e', 20],
  ['Helping Hand', 'helping-hand', 'Carried chairs without being asked.', '💪', '#f97316', 10],
  ['Night Owl', 'night-owl', 'You were not supposed to find this one.', '🦉', '#334155', 15],
] as const

/** One badge per group, in the order of the groups. */
const OF_GROUPS = [
  ['Hundred Miles', 'riverside-hundred-miles', '🚲', '#16a34a', 30],
  ['Rules Lawyer', 'tuesdays-rules-lawyer', '🎲', '#7c3aed', 15],
  ['First Solder', 'mill-lane-first-solder', '🔧', '#0284c7', 20],
  ['Bookworm', 'old-town-bookworm', '📚', '#e11d48', 15],
  ['Comet Spotter', 'night-sky-comet', '🔭', '#475569', 50],
] as const

type Person = { id: string }
type Community = {
  groups: Person[]
  people: Person[]
  favorites: { userId: string; groupId: string }[]
  checkins: { eventId: string; userId: string }[]
}

/** Seeds badges with awards, achievements with progress, and claim links. */
export async function seedRecognition(
  tx: Tx,
  { groups, people, favorites, checkins }: Community,
): Promise<void> {
  const platform = PLATFORM.map(([name, slug, description, icon, color, points], i) => ({
    id: newId(),
    ...{ name, slug, description, icon, color, points },
    hidden: slug === 'night-owl',
    sortOrder: 100 + i,
  }))
  const ofGroups = OF_GROUPS.map(([name, slug, icon, color, points], i) => ({
    id: newId(),
    groupId: groups[i]?.id,
    ...{ name, slug, icon, color, points },
    description: `${name}: ask how, we like to tell.`,
  }))
  const shipped = await badgesNamed(tx, ['explorer', 'regular'])
  const [founding, helping, owl] = platform.map(({ id }) => ({ id })) as [Person, Person, Person]

  const progress = people.flatMap(({ id }) => [
    progressOf(id, 'explorer', 3, valuesOf(favorites, id, 'groupId')),
    progressOf(id, 'regular', 5, valuesOf(checkins, id, 'eventId')),
  ])
  const completed = progress
    .filter(({ completedAt }) => completedAt !== null)
    .map(({ userId, key, completedAt }) => ({
      badgeId: shipped.get(key) as string,
      userId,
      source: 'achievement' as const,
      awardedAt: completedAt as Date,
    }))
  const given = [
    ...people.slice(0, 24).map(({ id }, i) => awarded(founding, id, 36 - (i % 5))),
    ...people.filter((_, i) => i % 3 === 0).map(({ id }, i) => awarded(helping, id, (i * 11) % 29)),
    ...people.slice(40, 43).map(({ id }, i) => awarded(owl, id, i * 2)),
    ...ofGroups.flatMap((badge, g) =>
      people
        .filter((_, i) => i % 5 === g)
        .map(({ id }, i) => ({ ...awarded(badge, id, i * 3), source: 'group' as const })),
    ),
  ]
  await insertRecognition(tx, {
    badges: [...platform, ...ofGroups],
    progress: progress.filter(({ values }) => values.length > 0),
    // In chronological order: of equal scores, the one reached first ranks higher.
    awards: [...completed, ...given].sort((a, b) => a.awardedAt.getTime() - b.awardedAt.getTime()),
    links: [helping, ofGroups[1] as Person].map(({ id }) => ({ badgeId: id, maxUses: 50 })),
    claims: [
      {
        groupId: groups[4]?.id as string,
        userId: (people[7] as Person).id,
        notes: 'I have kept the telescope since May.',
      },
    ],
    entitlements: [{ userId: (people[2] as Person).id, entitlement: 'group.create', source: 'admin' }],
  })
}

const awarded = ({ id }: Person, userId: string, days: number) => ({
  badgeId: id,
  userId,
  source: 'admin' as const,
  awardedAt: daysAgo(days),
})

const valuesOf = <K extends string>(
  rows: ({ userId: string } & Record<K, string>)[],
  userId: string,
  field: K,
) => [...new Set(rows.filter((row) => row.userId === userId).map((row) => row[field] as string))]

const progressOf = (userId: string, key: string, target: number, values: string[]) => ({
  userId,
  key,
  values,
  currentValue: Math.min(target, values.length),
  completedAt: values.length >= target ? daysAgo((userId.charCodeAt(30) % 20) + 1) : null,
})
