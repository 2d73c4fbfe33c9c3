/** A small mistake made on purpose, and the tests that must notice it. */
export type Mutant = {
  /** Short, unique in its area. */
  name: string
  file: string
  /** Text that stands in the file exactly once. */
  find: string
  replace: string
  /** What people would suffer from it. */
  means: string
  tests: string[]
}
