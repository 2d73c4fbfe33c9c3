import type { newsMails as english } from '../en/news-mails'

export const newsMails: typeof english = {}
