import type { Sheet, SheetOrder } from './order'

export type { Sheet, SheetCell, SheetKind, SheetOrder, SheetPaper } from './order'

/** Loads shaper and fonts lazily, so that other processes do not pay for them. */
export async function renderSheet(
  order: SheetOrder,
  progress: (done: number, total: number) => Promise<void>,
): Promise<Sheet> {
  const { drawSheet } = await import('./draw')
  return await drawSheet(order, progress)
}
