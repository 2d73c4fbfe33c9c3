import type { SheetRow } from './queries'

/** Labels of a pre-cut sheet. Paper that one cuts oneself has no label that was used before. */
const LABELS: Partial<Record<SheetRow['paper'], number>> = { 'avery-l7160': 21, 'avery-5163': 10 }

export const labelsOn = (paper: SheetRow['paper']): number => LABELS[paper] ?? 1
