/** Every run writes a new object, so a late one deletes only its own. */
export const exportName = (file: string) => `exports/${file}`
