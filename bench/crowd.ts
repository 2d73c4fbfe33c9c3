export const PASSES = 10_000
export const VISITORS = 50_000

/** Hexadecimal digits, and the letters that stand for them in the ids of passes. */
export const DIGITS = { hex: '0123456789abcdef', id: '23456789abcdefgh' }

const passId = (n: number) =>
  n
    .toString(16)
    .padStart(16, '0')
    .replace(/./g, (digit) => DIGITS.id[DIGITS.hex.indexOf(digit)] as string)

export const passPath = (n: number) => `/pass/${passId(n)}`

/** A browser of its own, at an address of its own. */
export const visitorHeaders = (n: number) => ({
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
  'sec-fetch-site': 'none',
  'sec-fetch-dest': 'document',
  cookie: `visitor=${n.toString(16).padStart(32, '0')}`,
  'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
})

/**
 * Visitors who tap the pass of the person whom they know, and now and then, by chance, anybody's: almost every such pair is
 * new. What is new is written down before the answer leaves.
 */
export const crowd = (newShare: number) => `
  -- Chance begins with the same numbers every time: without this each volley would repeat the pairs of the one before.
  math.randomseed(os.time())
  local turn = 0
  local letters = {}
  for i = 0, 15 do letters[string.format('%x', i)] = string.sub('${DIGITS.id}', i + 1, i + 1) end
  function request()
    turn = (turn + 17) % ${VISITORS}
    local visitor = turn
    local pass = visitor % ${PASSES}
    if math.random() < ${newShare} then pass = math.random(0, ${PASSES - 1}) end
    local path = '/pass/' .. string.gsub(string.format('%016x', pass), '.', letters)
    wrk.headers['cookie'] = string.format('visitor=%032x', visitor)
    wrk.headers['x-forwarded-for'] = string.format('10.%d.%d.%d', math.floor(visitor / 65536), math.floor(visitor / 256) % 256, visitor % 256)
    return wrk.format('GET', path)
  end`
