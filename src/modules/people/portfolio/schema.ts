import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, optional, sortOrder, text, webUrl } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const PortfolioItem = Type.Object(
  {
    id: wireId(),
    userId: wireId(),
    title: Type.String(),
    description: orNull(Type.String()),
    url: orNull(Type.String()),
    imageUrl: orNull(Type.String()),
    sortOrder: Type.Number(),
    createdAt: orNull(wireTime()),
  },
  { $id: 'PortfolioItem' },
)
export type PortfolioItem = Static<typeof PortfolioItem>

const title = line(1, 200)
const details = {
  description: optional(nullable(text(0, 500))),
  url: optional(nullable(webUrl())),
  imageUrl: optional(nullable(webUrl())),
}

export const PortfolioItemRequest = Type.Object(
  { title, ...details, sortOrder: sortOrder({ default: 0 }) },
  { $id: 'PortfolioItemRequest' },
)

/** Without defaults: a partial update must not reset other fields. */
export const portfolioItemChange = {
  title: optional(title),
  ...details,
  sortOrder: optional(sortOrder()),
}
