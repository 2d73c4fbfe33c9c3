/** Carries a sentence for the owner; never repeats file content. */
export class Refusal extends Error {}

export const DAMAGED = 'The file is damaged: it cannot be read to its end.'
