import { Type } from '@sinclair/typebox'

export const FeedToken = Type.Object(
  {
    feedToken: Type.String({
      description: 'The secret part of the addresses of your own feeds: /feeds/me/{feedToken}.ics',
    }),
  },
  { $id: 'FeedToken' },
)
