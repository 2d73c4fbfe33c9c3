import { logToStandardError } from '@/core/log'

// Imported first: some modules log on import.
logToStandardError()
