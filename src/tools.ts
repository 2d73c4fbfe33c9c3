import type { Tool } from './mcp/tool'
import { profileTools } from './modules/account/me/tools'
import { checkinTools } from './modules/gatherings/checkins/tools'

/** Every area's tools for agents, in the order in which they are listed. */
export const tools: Tool[] = [...checkinTools, ...profileTools]
