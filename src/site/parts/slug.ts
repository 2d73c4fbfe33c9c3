/** A name as a slug, like the script `suggest` does while typing. */
const slugOf = (name: unknown): string | undefined =>
  String(name ?? '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || undefined

/** Derives an empty slug from the name. */
export const slugInto = (field: string) => (input: Record<string, unknown>) => {
  input[field] ??= slugOf(input.name)
}
