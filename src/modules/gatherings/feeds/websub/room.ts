import { config } from '@/config/config'
import type { Counts } from './queries'

/** Anybody can name any host: one who asks may have no more than this part of what a host, or all, may have. */
const SHARE = 1 / 5

const shareOf = (quota: number) => Math.max(1, Math.floor(quota * SHARE))

/** Whether there may be one more. Topics with filters are fewer: there is no end of them, and each is a feed to be made. */
export function hasRoom({ topic }: { topic: string }, { ofHost, ofPair, ofAsker, all }: Counts): boolean {
  const { subscriptions, subscriptionsPerHost, filteredSubscriptionsPerHost } = config.quotas
  const isFiltered = topic.includes('?')
  return (
    all < subscriptions &&
    ofAsker < shareOf(subscriptions) &&
    ofHost.all < subscriptionsPerHost &&
    ofPair.all < shareOf(subscriptionsPerHost) &&
    (!isFiltered ||
      (ofHost.filtered < filteredSubscriptionsPerHost &&
        ofPair.filtered < shareOf(filteredSubscriptionsPerHost)))
  )
}
