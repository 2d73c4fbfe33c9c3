import type { Tool } from './mcp/tool'
import { profileTools } from './modules/account/me/tools'
import { checkinTools } from './modules/gatherings/checkins/tools'
import { connectionTools } from './modules/passes/connections/tools'
import { changePassTool, listPassesTool } from './modules/passes/passes/tools'

/** Every area's tools for agents, in the order in which they are listed. */
export const tools: Tool[] = [
  ...checkinTools,
  ...profileTools,
  listPassesTool,
  ...connectionTools,
  changePassTool,
]
