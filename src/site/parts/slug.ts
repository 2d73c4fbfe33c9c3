/** A name as a part of an address, as the script `suggest` writes it while a person types. */
const slugOf = (name: unknown): string | undefined =>
  String(name ?? '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || undefined

/** Derives a part of an address from the name where it was left empty. */
export const slugInto = (field: string) => (input: Record<string, unknown>) => {
  input[field] ??= slugOf(input.name)
}
