export const recognition = {}
