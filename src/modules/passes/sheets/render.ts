import type { Sheet, SheetOrder } from './order'

export type { Sheet, SheetCell, SheetKind, SheetOrder, SheetPaper } from './order'

/** A sheet as PDF. Shaper and fonts are loaded by whoever prints first: no other process pays for them. */
export async function renderSheet(
  order: SheetOrder,
  progress: (done: number, total: number) => Promise<void>,
): Promise<Sheet> {
  const { drawSheet } = await import('./draw')
  return await drawSheet(order, progress)
}
