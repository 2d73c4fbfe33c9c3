import { RedisClient } from 'bun'

/** How many hits Redis has counted so far, over all budgets. */
export async function redisHits(url: string): Promise<number> {
  const redis = new RedisClient(url)
  try {
    const keys = await redis.keys('folkmoot:limit:*')
    const counts = await Promise.all(keys.map((key) => redis.get(key)))
    return counts.reduce((sum, count) => sum + Number(count), 0)
  } finally {
    redis.close()
  }
}
