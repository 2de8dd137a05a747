/**
 * Attribute names of exported spans, in this one file because the conventions still move.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  conversation: 'gen_ai.conversation.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
} as const

/** Our own, where the conventions have none. */
export const FRONTDESK = {
  channel: 'frontdesk.channel',
  intent: 'frontdesk.intent',
  status: 'frontdesk.status',
  tier: 'frontdesk.model.tier',
  cached: 'frontdesk.cached',
  escalated: 'frontdesk.escalated',
} as const

/** The conventions' operation for a type of span; others are named by their type. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  agent: 'invoke_agent',
  model: 'chat',
  tool: 'execute_tool',
}
