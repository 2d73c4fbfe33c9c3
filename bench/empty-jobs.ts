import { Queue, Worker } from 'bullmq'

/** How many jobs that do nothing BullMQ runs in a second: a process of its own, like our worker. */
const [url, name, count, concurrency] = process.argv.slice(2) as [string, string, string, string]
const jobs = Number(count)
const connection = { url, maxRetriesPerRequest: null }
const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } })
for (let from = 0; from < jobs; from += 1000)
  await queue.addBulk(
    Array.from({ length: Math.min(1000, jobs - from) }, (_, i) => ({ name: 'empty', data: { i: from + i } })),
  )

let done = 0
const startedAt = performance.now()
await new Promise<void>((resolve) => {
  new Worker(
    name,
    async () => {
      done += 1
      if (done === jobs) resolve()
    },
    { connection, concurrency: Number(concurrency) },
  )
})
console.log(jobs / ((performance.now() - startedAt) / 1000))
process.exit(0)
