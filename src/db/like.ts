/** What somebody typed, to be found without regard to case and taken literally by LIKE. */
export const literal = (typed: string) => typed.toLowerCase().replace(/[\\%_]/g, '\\$&')
