/** The object of a sheet in the storage. Every run writes a new one, so one that comes too late removes only its own. */
export const sheetName = (file: string) => `sheets/${file}`
