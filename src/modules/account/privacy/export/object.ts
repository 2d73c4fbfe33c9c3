/** The object of an export in the storage. Every run writes a new one, so one that comes too late removes only its own. */
export const exportName = (file: string) => `exports/${file}`
