/** What the scripted model does with one request. Every fault can be put at any point of the answer. */
export interface Behaviour {
  /** The reply's text; without text, tool calls or json the answer is made plausible from the prompt. */
  text?: string
  /** `arguments` as a string is sent as it is, so that it may be broken JSON. */
  toolCalls?: readonly ScriptedToolCall[]
  /** Wait before the status line, in milliseconds. */
  headerDelayMs?: number
  /** Wait before the first token, in milliseconds. */
  firstTokenDelayMs?: number
  /** Wait before each further token, in milliseconds. */
  tokenDelayMs?: number
  /** An HTTP error instead of an answer. */
  status?: number
  /** Sent as `Retry-After` with `status`. */
  retryAfterSeconds?: number
  /** Further headers with `status`. */
  headers?: Record<string, string>
  /** A raw body with `status` (default 200), in `contentType`. */
  body?: string
  contentType?: string
  /** Where the answer goes wrong. */
  fault?: Fault
  /** Leave the token usage out of the answer. */
  omitUsage?: boolean
  usage?: { inputTokens: number; outputTokens: number }
  /** Reported as the reason for the end; by default what the reply implies. */
  finishReason?: 'stop' | 'length' | 'content_filter'
  /** Follow instructions that stand in the prompt, wherever they stand. */
  obedient?: boolean
}

export interface ScriptedToolCall {
  name: string
  arguments: unknown
}

/** `afterTokens`: how many tokens are sent first; -1 means before the status line, 0 after the headers. */
export interface Fault {
  kind:
    | 'cut' // the connection is reset
    | 'end' // the stream ends properly but too early: no finish reason, no usage
    | 'hang' // nothing more is sent, the connection stays open
    | 'garbage' // an event whose data is no JSON, then the stream goes on
    | 'error' // the protocol's own error event, then the end
  afterTokens: number
}

/** What the server saw of one request, and how it ended. */
export interface RecordedRequest {
  id: number
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  /** The parsed JSON body; null when there was none. */
  body: unknown
  tokensSent: number
  /** `aborted`: the client closed the connection before the answer was complete. */
  outcome: 'pending' | 'complete' | 'aborted' | 'cut'
}

/** Picks the behaviour for a request; undefined passes the request on to the next rule. */
export type Rule = (request: RecordedRequest) => Behaviour | undefined

export interface ScriptedModelOptions {
  /** 0, the default, takes any free port. */
  port?: number
  /** Length of the embedding vectors; default 64. */
  dimensions?: number
  /** Requests without this key are refused with 401. */
  apiKey?: string
  /** Model names of `GET /v1/models`. */
  models?: readonly string[]
  /** What happens unless scripted otherwise; default a plausible answer. */
  behaviour?: Behaviour
  /** Speaks only this rerank dialect and answers 422 to the other; default both. */
  rerankDialect?: 'cohere' | 'tei'
}

export interface Script {
  /** Behaviours for the next requests, each used once, before any rule. */
  enqueue(...behaviours: Behaviour[]): void
  /** Rules are asked in the order they were added; returns a function that removes the rule. */
  addRule(rule: Rule): () => void
  /** What happens when neither queue nor rule has something to say. */
  setDefault(behaviour: Behaviour): void
  clear(): void
}

export function createScript(initial: Behaviour = {}): Script & { next: (request: RecordedRequest) => Behaviour } {
  let fallback = initial
  let queue: Behaviour[] = []
  let rules: Rule[] = []
  return {
    enqueue: (...behaviours) => {
      queue.push(...behaviours)
    },
    addRule: (rule) => {
      rules.push(rule)
      return () => {
        rules = rules.filter((other) => other !== rule)
      }
    },
    setDefault: (behaviour) => {
      fallback = behaviour
    },
    clear: () => {
      queue = []
      rules = []
      fallback = initial
    },
    next: (request) => queue.shift() ?? firstOf(rules, request) ?? fallback,
  }
}

function firstOf(rules: readonly Rule[], request: RecordedRequest): Behaviour | undefined {
  for (const rule of rules) {
    const behaviour = rule(request)
    if (behaviour) return behaviour
  }
  return undefined
}
