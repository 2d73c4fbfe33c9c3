export const manage = {}
