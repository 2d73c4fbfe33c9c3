import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'

// What a server of the official SDK does for the same answer, with nothing to look up: stateless, as the SDK's example of that.

const text = await Bun.file(process.argv[2] as string).text()
const structuredContent = JSON.parse(text)

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  async fetch(request) {
    const mcp = new McpServer({ name: 'bench', version: '1' })
    mcp.registerTool('events_list', { title: 'Find events', description: 'Finds events.' }, () => ({
      content: [{ type: 'text', text }],
      structuredContent,
    }))
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await mcp.connect(transport)
    return transport.handleRequest(request)
  },
})
console.log(server.port)
