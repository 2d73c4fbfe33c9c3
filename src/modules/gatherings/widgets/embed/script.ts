import { config } from '@/config/config'
import { cachedBody } from '@/http/encodings'

/** Sandbox of the frame: it may run its own script and open links, but not navigate the page, submit forms or show dialogs. */
export const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'

import text from './widget.js' with { type: 'text' }

/** Carries its origin, so that it also works when a page copies or bundles it. */
const script = text.replace('{{ORIGIN}}', config.baseUrl).replace('{{SANDBOX}}', SANDBOX)

export const embedScript = cachedBody(new TextEncoder().encode(script))

export const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  vary: 'Accept-Encoding',
  'cross-origin-resource-policy': 'cross-origin',
}
