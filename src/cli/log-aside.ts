import { logToStandardError } from '@/core/log'

// Imported before everything else: some modules have something to say as soon as they are loaded.
logToStandardError()
