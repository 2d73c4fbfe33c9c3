/** Each run writes its own object, so that a late run removes only its own. */
export const sheetName = (file: string) => `sheets/${file}`
