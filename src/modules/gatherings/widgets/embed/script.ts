import { config } from '@/config/config'
import { keptBody } from '@/http/encodings'
import text from './widget.js' with { type: 'text' }

/** The script that other sites load. It knows where it comes from, also where a page has copied or bundled it. */
export const embedScript = keptBody(new TextEncoder().encode(text.replace('{{ORIGIN}}', config.baseUrl)))

export const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  vary: 'Accept-Encoding',
  'cross-origin-resource-policy': 'cross-origin',
}
