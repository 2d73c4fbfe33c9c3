import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '@/core/fields'
import { orNull, wireTime } from '@/core/shapes'

const standing = {
  status: oneOf(['queued', 'rendering', 'ready', 'failed'], { description: 'How far it is.' }),
  progress: Type.Number({ description: 'In percent.' }),
  url: orNull(
    Type.String({
      format: 'uri',
      description:
        'The ZIP once it is ready. Works without a credential, for ten minutes and as long as the one that asked: ask again for a new one.',
    }),
  ),
  expiresAt: orNull(wireTime()),
}

export const DataExport = Type.Object(standing, { $id: 'DataExport' })
export type DataExport = Static<typeof DataExport>

export const LastExport = Type.Object({
  last: orNull(
    Type.Object({
      ...standing,
      size: orNull(Type.Number()),
      createdAt: wireTime(),
      keptUntil: wireTime(),
    }),
  ),
})
