import type { SpanEnd, Spans } from '../../kernel/tracing.ts'
import { modelError } from '../model/failure.ts'
import {
  addUsage,
  type ChatMessage,
  type ChatRequest,
  type FinishReason,
  type ModelError,
  noUsage,
  type StreamFunction,
  type TokenUsage,
  type ToolCall,
} from '../model/port.ts'
import { allowedTools, refuse, resultText, runTool, toDefinitions } from './tools.ts'
import type { AgentEvent, AgentLimits, AgentResult, AgentRun, AgentTool, StopReason, ToolOutcome } from './types.ts'

export interface AgentDependencies {
  stream: StreamFunction
  /** Told what happens as it happens; must not throw. */
  emit?: (event: AgentEvent) => void
  /** Where the run records what it does. */
  spans: Spans
  signal?: AbortSignal
}

const defaultLimits: AgentLimits = {
  maxSteps: 4,
  maxTokens: 24_000,
  maxDurationMs: 30_000,
  maxToolCallsPerStep: 8,
  toolTimeoutMs: 10_000,
  maxToolResultLength: 12_000,
}

interface Context {
  run: AgentRun
  limits: AgentLimits
  tools: ReadonlyMap<string, AgentTool>
  stream: StreamFunction
  emit: (event: AgentEvent) => void
  /** Of the run itself. */
  spans: Spans
  /** The customer left, or time is up. */
  signal: AbortSignal
  isTimeUp: () => boolean
}

interface Progress {
  step: number
  added: ChatMessage[]
  outcomes: ToolOutcome[]
  usage: TokenUsage
}

interface Reply {
  text: string
  calls: ToolCall[]
  finishReason: FinishReason | null
  error: ModelError | null
  usage: TokenUsage | null
}

/**
 * Lets a model work with tools until it answers or a limit ends it. Never throws: every end is a result.
 * Once `signal` is aborted nothing further is started, and what runs is told to stop.
 */
export async function runAgent(run: AgentRun, dependencies: AgentDependencies): Promise<AgentResult> {
  const { stream, emit = () => {}, spans } = dependencies
  const limits = { ...defaultLimits, ...run.limits }
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(), limits.maxDurationMs)
  const signal = dependencies.signal ? AbortSignal.any([dependencies.signal, timeUp.signal]) : timeUp.signal
  const input = run.messages.findLast((message) => message.role === 'user')?.content ?? ''
  const tools = allowedTools(run.tools ?? [], run.allowedTools ?? [])
  const isTimeUp = (): boolean => timeUp.signal.aborted && !dependencies.signal?.aborted
  try {
    return await spans.span(
      { agent: run.agent, type: 'agent', name: run.agent, input },
      (within) => takeSteps({ run, limits, tools, stream, emit, spans: within, signal, isTimeUp }),
      (result) => ({ status: statusOf(result), output: result.text, error: errorText(result) }),
    )
  } finally {
    clearTimeout(timer)
  }
}

async function takeSteps(context: Context): Promise<AgentResult> {
  const { limits } = context
  const progress: Progress = { step: 0, added: [], outcomes: [], usage: noUsage }
  let reply = emptyReply()
  while (progress.step < limits.maxSteps) {
    if (progress.step > 0 && spent(progress) >= limits.maxTokens) return toResult(progress, reply, 'token_limit')
    progress.step += 1
    context.emit({ type: 'step-start', step: progress.step })
    reply = await modelStep(context, progress)
    context.emit({ type: 'step-end', step: progress.step, calledTools: reply.calls.length > 0 })
    if (reply.error) return toResult(progress, reply, stopReasonOf(reply.error, context))
    if (reply.calls.length === 0) return toResult(progress, reply, 'answer')
    // Tools were not offered in the last step; a model that calls some all the same gets no further.
    if (progress.step === limits.maxSteps) break
    await toolStep(context, progress, reply.calls)
    if (context.signal.aborted) return toResult(progress, reply, context.isTimeUp() ? 'time_limit' : 'aborted')
  }
  return toResult(progress, reply, 'step_limit')
}

async function modelStep(context: Context, progress: Progress): Promise<Reply> {
  const { run, spans } = context
  const request = requestFor(context, progress)
  const input = newMessages(run, progress)
    .map((message) => `${message.role}: ${message.content}`)
    .join('\n')
  const reply = await spans.span(
    { agent: run.agent, type: 'model', name: request.tier ?? 'standard', input },
    async () => withEmptyAsError(await readReply(context, request, progress.step)),
    describeReply,
  )
  if (reply.usage) progress.usage = addUsage(progress.usage, reply.usage)
  const toolCalls = reply.calls.length > 0 ? { toolCalls: reply.calls } : {}
  if (!reply.error) progress.added.push({ role: 'assistant', content: reply.text, ...toolCalls })
  return reply
}

function describeReply({ text, calls, error, usage }: Reply): SpanEnd {
  const output = [text, ...calls.map((call) => `${call.name}(${call.arguments})`)].join('\n').trim()
  const status = error ? (error.code === 'aborted' ? 'aborted' : 'error') : 'ok'
  return { status, output, tokens: usage, error: error?.message ?? null }
}

function requestFor(context: Context, progress: Progress): ChatRequest {
  const { run, limits, tools } = context
  const { agent, tier = 'standard', model, maxOutputTokens = 2_048, temperature } = run
  const isLast = progress.step === limits.maxSteps
  return {
    agent,
    tier,
    messages: [...run.messages, ...progress.added],
    maxOutputTokens: Math.max(1, Math.min(maxOutputTokens, limits.maxTokens - spent(progress))),
    ...(model === undefined ? {} : { model }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools.size > 0 ? { tools: toDefinitions(tools), toolChoice: isLast ? 'none' : 'auto' } : {}),
  }
}

function emptyReply(): Reply {
  return { text: '', calls: [], finishReason: null, error: null, usage: null }
}

async function readReply(context: Context, request: ChatRequest, step: number): Promise<Reply> {
  const reply = emptyReply()
  try {
    for await (const event of context.stream(request, context.signal)) {
      if (event.type === 'text-delta') {
        reply.text += event.text
        context.emit({ type: 'text-delta', step, text: event.text })
      } else if (event.type === 'tool-call') reply.calls.push(event.call)
      else if (event.type === 'usage') reply.usage = event.usage
      else if (event.type === 'finish') reply.finishReason = event.reason
      else reply.error = event.error
    }
  } catch {
    // The port promises not to throw; a broken promise must cost one reply, not the process.
    reply.error = modelError('bad_response', 'the stream function threw')
  }
  return reply
}

function withEmptyAsError(reply: Reply): Reply {
  const isEmpty = !reply.error && reply.calls.length === 0 && reply.text.trim() === ''
  return isEmpty ? { ...reply, error: modelError('bad_response', 'the model said nothing') } : reply
}

/** Runs the calls side by side; their results stand in the order of the calls. */
async function toolStep(context: Context, progress: Progress, calls: readonly ToolCall[]): Promise<void> {
  const { limits } = context
  const outcomes = await Promise.all(
    calls.map((call, index) => tracedTool(context, progress.step, call, index < limits.maxToolCallsPerStep)),
  )
  for (const outcome of outcomes) {
    progress.outcomes.push(outcome)
    const { toolCallId, name: toolName, ok } = outcome
    const content = resultText(outcome, limits.maxToolResultLength)
    progress.added.push({ role: 'tool', toolCallId, toolName, content, ...(ok ? {} : { failed: true }) })
  }
}

async function tracedTool(
  context: Context,
  step: number,
  call: ToolCall,
  isWithinLimit: boolean,
): Promise<ToolOutcome> {
  const { run, spans, limits, signal, emit } = context
  const { id: toolCallId, name } = call
  emit({ type: 'tool-start', step, toolCallId, name })
  const outcome = await spans.span(
    { agent: run.agent, type: 'tool', name, input: call.arguments },
    async (within) =>
      isWithinLimit
        ? runTool(call, context.tools, limits, { signal, spans: within })
        : refuse(call, 'Too many calls at once.'),
    (ended): SpanEnd => {
      const output = resultText(ended, limits.maxToolResultLength)
      const status = ended.ok ? 'ok' : signal.aborted ? 'aborted' : 'error'
      return { status, output, error: ended.ok ? null : output }
    },
  )
  emit({ type: 'tool-end', step, toolCallId, name, ok: outcome.ok })
  return outcome
}

function toResult(progress: Progress, reply: Reply, stopReason: StopReason): AgentResult {
  return {
    text: reply.text,
    stopReason,
    finishReason: reply.finishReason,
    error: reply.error,
    steps: progress.step,
    toolOutcomes: progress.outcomes,
    messages: progress.added,
    usage: progress.usage,
  }
}

function stopReasonOf(error: ModelError, context: Context): StopReason {
  if (error.code !== 'aborted') return 'error'
  return context.isTimeUp() ? 'time_limit' : 'aborted'
}

function statusOf({ stopReason }: AgentResult): 'ok' | 'aborted' | 'error' {
  if (stopReason === 'answer') return 'ok'
  return stopReason === 'aborted' ? 'aborted' : 'error'
}

function errorText({ stopReason, error }: AgentResult): string | null {
  return stopReason === 'answer' ? null : (error?.message ?? stopReason)
}

/** Messages that the model has not read before: all in the first step, later only what the tools brought. */
function newMessages(run: AgentRun, progress: Progress): readonly ChatMessage[] {
  const afterLastReply = progress.added.findLastIndex((message) => message.role === 'assistant') + 1
  return progress.step === 1 ? run.messages : progress.added.slice(afterLastReply)
}

function spent({ usage }: Progress): number {
  return usage.inputTokens + usage.outputTokens
}
