export const passes = {}
