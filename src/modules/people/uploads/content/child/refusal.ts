/** A file that is not taken, and why, in a sentence for its owner. Nothing from inside the file is repeated. */
export class Refusal extends Error {}

export const DAMAGED = 'The file is damaged: it cannot be read to its end.'
