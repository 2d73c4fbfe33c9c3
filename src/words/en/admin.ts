export const admin = {}
