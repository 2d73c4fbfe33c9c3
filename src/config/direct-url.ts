/** The ways past a pooler, by the address that leads through it. */
const past = new Map<string, string>()

/** Called once by the configuration; whoever is given an address of another database is not concerned. */
export function useDirectUrl(databaseUrl: string | null, directUrl: string | null) {
  if (databaseUrl !== null && directUrl !== null) past.set(databaseUrl, directUrl)
}

/** DATABASE_DIRECT_URL, for the address that is DATABASE_URL. */
export const directUrlOf = (databaseUrl: string): string | undefined => past.get(databaseUrl)
