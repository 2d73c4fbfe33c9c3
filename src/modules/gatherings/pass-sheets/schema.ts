import { type Static, Type } from '@sinclair/typebox'
import { id, nullable, oneOf, optional, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

const kind = oneOf(['badges', 'stickers', 'checkin-poster'])
const paper = oneOf(['a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54'])
const sort = oneOf(['name', 'rsvp'])

const Missing = Type.Object({
  name: Type.String({ description: 'A name with unprintable characters.' }),
  characters: Type.Array(Type.String(), { description: 'Characters that no font has.' }),
})

export const PassSheet = Type.Object(
  {
    id: wireId(),
    kind,
    paper,
    status: oneOf(['queued', 'rendering', 'ready', 'failed'], { description: 'Status.' }),
    progress: Type.Number({ description: 'In percent.' }),
    url: orNull(
      Type.String({
        format: 'uri',
        description:
          'The PDF once it is ready. Needs no credential; valid for ten minutes, while you are on the staff. Read the sheet again for a new address.',
      }),
    ),
    pages: orNull(Type.Number({ description: 'Null until it is ready.' })),
    missing: Type.Array(Missing, {
      description: 'Names with characters that no font has: check them before you print. At most a hundred.',
    }),
    error: orNull(Type.String({ description: 'Why it failed.' })),
    createdAt: wireTime(),
    expiresAt: orNull(wireTime()),
  },
  { $id: 'PassSheet' },
)
export type PassSheet = Static<typeof PassSheet>

const inEvent = { groupId: id(), eventId: id() }

export const SheetsInput = Type.Object({ ...inEvent, ...pageFields })

export const NewSheetInput = Type.Object({
  ...inEvent,
  kind,
  paper,
  checkinCodeId: optional(
    nullable({
      ...id(),
      description: 'The check-in code on a `checkin-poster`, where it is required; otherwise ignored.',
    }),
  ),
  startAt: optional(
    whole(1, 100, {
      default: 1,
      description:
        'The first free label of a partly used sheet: at most 21 on `avery-l7160` and 10 on `avery-5163`. Omit it for other papers, which have no labels.',
    }),
  ),
  sort: optional({
    ...sort,
    default: 'name',
    description: '`name` sorts by the last word of the name, `rsvp` by the time of the RSVP.',
  }),
})

export const SheetInput = Type.Object({ groupId: id(), sheetId: id() })
