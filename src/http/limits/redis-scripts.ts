import type Redis from 'ioredis'

/**
 * KEYS: windows. ARGV: limit, length in ms, wanted, cost per hit and hits already granted elsewhere for each, all in one text.
 * Grants as many whole hits as fit; returns granted, used and the end of the window, by the clock of Redis alone.
 */
const GRANT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
local terms = string.gmatch(ARGV[1], '%d+')
for i = 1, #KEYS do
  local limit, length = tonumber(terms()), tonumber(terms())
  local wanted, cost, owed = tonumber(terms()), tonumber(terms()), tonumber(terms())
  local used = tonumber(redis.call('GET', KEYS[i]) or '0') + owed
  local left = redis.call('PTTL', KEYS[i])
  local granted = math.max(0, math.min(wanted, limit - used))
  granted = granted - granted % cost
  if left < 0 then left = length end
  if granted + owed > 0 then
    redis.call('SET', KEYS[i], used + granted, 'PX', left)
    used = used + granted
  end
  answer[#answer+1] = granted
  answer[#answer+1] = used
  answer[#answer+1] = now + left
end
return answer`

/**
 * KEYS: windows. ARGV: limit, length in ms and hits already granted elsewhere, for each. Charges all once, or none if one is
 * exhausted; returns whether it did, then used and the end of each window.
 */
const GRANT_ALL = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {1}
for i = 1, #KEYS do
  local owed = tonumber(ARGV[3*i])
  local used = tonumber(redis.call('GET', KEYS[i]) or '0') + owed
  local left = redis.call('PTTL', KEYS[i])
  if left < 0 then left = tonumber(ARGV[3*i-1]) end
  if owed > 0 then redis.call('SET', KEYS[i], used, 'PX', left) end
  if used >= tonumber(ARGV[3*i-2]) then answer[1] = 0 end
  answer[2*i] = used
  answer[2*i+1] = left
end
for i = 1, #KEYS do
  if answer[1] == 1 then
    answer[2*i] = answer[2*i] + 1
    redis.call('SET', KEYS[i], answer[2*i], 'PX', answer[2*i+1])
  end
  answer[2*i+1] = now + answer[2*i+1]
end
return answer`

/** KEYS: windows. Refunds one charge to each that has any; their ends stay. */
const GIVE_BACK = `
for i = 1, #KEYS do
  if tonumber(redis.call('GET', KEYS[i]) or '0') > 0 then redis.call('DECR', KEYS[i]) end
end
return {}`

/**
 * KEYS: sliding windows, each with the times of its hits. ARGV: as above; every hit costs one. Returns granted, used and when the
 * oldest hit expires.
 */
const SLIDE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
local terms = string.gmatch(ARGV[1], '%d+')
for i = 1, #KEYS do
  local limit, length = tonumber(terms()), tonumber(terms())
  local wanted, _, owed = tonumber(terms()), terms(), tonumber(terms())
  local times = {}
  for at in string.gmatch(redis.call('GET', KEYS[i]) or '', '%d+') do
    if at + length > now then times[#times+1] = string.format('%.0f', at) end
  end
  local granted = math.max(0, math.min(wanted, limit - #times - owed))
  for _ = 1, granted + owed do times[#times+1] = string.format('%.0f', now) end
  if granted + owed > 0 then redis.call('SET', KEYS[i], table.concat(times, ' '), 'PX', length) end
  answer[#answer+1] = granted
  answer[#answer+1] = #times
  answer[#answer+1] = times[1] + length
end
return answer`

export type Script = (keyCount: number, ...rest: (string | number)[]) => Promise<number[]>

export type Scripted = Redis & { grant: Script; grantAll: Script; giveBack: Script; slide: Script }

/** Counting scripts; each runs atomically in Redis, so that no two processes use the same remainder. */
export function withScripts(redis: Redis): Scripted {
  redis.defineCommand('grant', { lua: GRANT })
  redis.defineCommand('grantAll', { lua: GRANT_ALL })
  redis.defineCommand('giveBack', { lua: GIVE_BACK })
  redis.defineCommand('slide', { lua: SLIDE })
  return redis as Scripted
}
