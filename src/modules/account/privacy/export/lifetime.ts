import { DAY_MS } from '@/core/clock'

/** Every run writes a new object, so a late one deletes only its own. */
export const exportName = (file: string) => `exports/${file}`

/** How long an export can be downloaded: it holds everything about a person, so not for long. */
export const EXPORT_MS = DAY_MS
/** How long a failure is reported before a new export can begin. */
export const FAILED_MS = 10 * 60_000
/** Daily quotas: of a person, and of each application, counted separately. */
export const A_DAY = { person: 5, application: 2 }
