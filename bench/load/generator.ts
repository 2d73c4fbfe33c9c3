export const CONNECTIONS = 64

/** A request as it is sent over and over, and the status that it is to get. */
export type Shot = {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  /** Lua that makes each request another one. */
  vary?: string
  status: number
}

/** `wrong` counts answers of another kind than wanted, and requests without any. */
export type Volley = { requests: number; perSecond: number; wrong: number }

export type Generator = { name: string; fire(shot: Shot, seconds: number): Promise<Volley> }
