/**
 * No collection below 32 MB: loading a server exceeds the runtime's default of 8 MB, and those collections freed nothing and
 * delayed every start.
 */
const SMALL_HEAP_BYTES = 32 * 1024 * 1024

/**
 * Heap growth before the next full collection: 100 %, the runtime's default on machines with up to 16 GB; on larger ones the heap
 * would grow to three times the live data. A lower value, or a smaller assumed machine, makes a large heap collect again and
 * again (docs/performance.md).
 */
export const RUNTIME_OPTIONS = {
  BUN_JSC_heapGrowthMaxIncrease: '1',
  BUN_JSC_largeHeapSize: String(SMALL_HEAP_BYTES),
}
