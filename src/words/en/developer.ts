export const developer = {}
