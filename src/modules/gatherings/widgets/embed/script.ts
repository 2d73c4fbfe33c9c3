import { config } from '@/config/config'
import { keptBody } from '@/http/encodings'

/**
 * What the frame of a widget may do in a page of others: run its script as the site that it is of, and open its links. It may
 * not steer the page, send forms or show dialogs.
 */
export const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'

import text from './widget.js' with { type: 'text' }

/** The script that other sites load. It knows where it comes from, also where a page has copied or bundled it. */
const script = text.replace('{{ORIGIN}}', config.baseUrl).replace('{{SANDBOX}}', SANDBOX)

export const embedScript = keptBody(new TextEncoder().encode(script))

export const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  vary: 'Accept-Encoding',
  'cross-origin-resource-policy': 'cross-origin',
}
