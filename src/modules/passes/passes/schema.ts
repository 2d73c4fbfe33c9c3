import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, oneOf, optional, whole } from '@/core/fields'
import { orNull, ownUrl, wireTime } from '@/core/shapes'

const flag = (description: string) => Type.Number({ description: `1 or 0: ${description}` })

const meetpass = {
  id: Type.String({ description: 'Its address is /pass/{id}, in upper or lower case.' }),
  type: Type.String({
    description: '`qrcode`, one per person, or `nfc`, a claimed tag.',
  }),
  label: orNull(Type.String({ description: 'Label for its owner, not shown to others.' })),
  designId: orNull(Type.String()),
  action: orNull(
    Type.String({
      description: 'What a tap shows first: `profile`, `contact` (the download) or `follow` (the button).',
    }),
  ),
  autoFollow: flag('people who tap it while signed in follow its owner.'),
  isActive: flag('a tap shows its owner.'),
  claimedAt: orNull(wireTime()),
  createdAt: orNull(wireTime()),
}

export const Meetpass = Type.Object(meetpass, { $id: 'Meetpass' })
export type Meetpass = Static<typeof Meetpass>

export const MeetpassDesign = Type.Object(
  {
    name: Type.String(),
    imageUrl: orNull(Type.String()),
    modelUrl: orNull(Type.String()),
    themeColor: orNull(Type.String()),
  },
  { $id: 'MeetpassDesign' },
)

const design = orNull(MeetpassDesign)

const reach = {
  connectionCount: Type.Number({ description: 'Number of connections by this pass.' }),
  url: ownUrl('The address that a tap opens.'),
}

export const Meetpasses = Type.Object(
  {
    passes: Type.Array(Type.Object({ ...meetpass, design })),
    totalConnections: Type.Number({ description: 'Number of connections by any pass, in either direction.' }),
  },
  { $id: 'Meetpasses' },
)

export const QrMeetpass = Type.Object({ ...meetpass, ...reach }, { $id: 'QrMeetpass' })

export const MeetpassDetail = Type.Object({ ...meetpass, design, ...reach }, { $id: 'MeetpassDetail' })

/** Accepts any line, so that malformed ids answer 404 instead of 400. */
const passId = line(1, 100, { description: 'Id of the pass, in upper or lower case.' })

export const PassInput = Type.Object({ id: passId })

/** Describes the path of a document about a pass. */
export const PASS_PARAMETER = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Of the pass, in upper or lower case.',
  schema: { type: 'string' },
}

const switched = (description: string) => optional(whole(0, 1, { description: `1 or 0: ${description}` }))

export const PassChange = Type.Object({
  id: passId,
  label: optional(nullable(line(0, 60, { description: 'Label for its owner, not shown to others.' }))),
  action: optional(
    oneOf(['profile', 'contact', 'follow'], {
      description: 'What a tap shows first: the profile, the contact download or the follow button.',
    }),
  ),
  autoFollow: switched('people who tap it while signed in follow its owner.'),
  isActive: switched('a tap shows its owner.'),
  designId: optional(nullable(line(1, 100))),
})
