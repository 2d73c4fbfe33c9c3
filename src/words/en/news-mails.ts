/** Letters about people, groups and badges, and the weekly one. */
export const newsMails = {}
