/**
 * A heap of 32 MB is not looked through yet: loading what a server is made of fills more than the runtime's own 8, and those
 * collections found nothing to throw away and made every start wait for them.
 */
const SMALL_HEAP_BYTES = 32 * 1024 * 1024

/**
 * How far the heap may grow beyond what was last found alive before all of it is looked through again: by as much once more,
 * as the runtime does by itself on machines with up to 16 GB; on larger ones it would grow to three times what lives. A smaller
 * number, or a smaller machine to believe in, makes a large heap be looked through again and again (docs/performance.md).
 */
export const RUNTIME_OPTIONS = {
  BUN_JSC_heapGrowthMaxIncrease: '1',
  BUN_JSC_largeHeapSize: String(SMALL_HEAP_BYTES),
}
