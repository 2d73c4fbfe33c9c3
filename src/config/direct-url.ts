/** Direct addresses by the address of their pooler. */
const past = new Map<string, string>()

/** Called once by the configuration; addresses of other databases are unaffected. */
export function useDirectUrl(databaseUrl: string | null, directUrl: string | null) {
  if (databaseUrl !== null && directUrl !== null) past.set(databaseUrl, directUrl)
}

/** DATABASE_DIRECT_URL, for the address that is DATABASE_URL. */
export const directUrlOf = (databaseUrl: string): string | undefined => past.get(databaseUrl)
