import type { errors } from '../en/errors'

/** Refusals of rules, by their English sentences. */
export const said: typeof errors.said = {}

/** Those that hold a value. */
export const saidWith: typeof errors.saidWith = []
