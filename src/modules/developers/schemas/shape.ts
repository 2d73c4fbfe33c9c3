import type { TSchema } from '@sinclair/typebox'

/** A shape of the API's answers that is published under a name. */
export type PublishedShape = { name: string; title: string; description: string; shape: TSchema }
