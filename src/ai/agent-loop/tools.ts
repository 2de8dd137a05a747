import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '../../kernel/errors.ts'
import { parseJsonOrNothing } from '../../kernel/json.ts'
import type { ToolCall } from '../model/port.ts'
import { faultsOf } from '../model/structured.ts'
import { sleep } from '../outbound.ts'
import type { AgentLimits, AgentTool, ToolContext, ToolOutcome } from './types.ts'

/** The tools that an agent may use, by name. */
export function allowedTools(tools: readonly AgentTool[], names: readonly string[]): ReadonlyMap<string, AgentTool> {
  return new Map(tools.filter((tool) => names.includes(tool.name)).map((tool) => [tool.name, tool]))
}

/** Runs one call. Never throws: whatever goes wrong is a result that the model can read and react to. */
export async function runTool(
  call: ToolCall,
  tools: ReadonlyMap<string, AgentTool>,
  limits: AgentLimits,
  { signal, spans }: Pick<ToolContext, 'signal' | 'spans'>,
): Promise<ToolOutcome> {
  const tool = tools.get(call.name)
  if (!tool) return refuse(call, 'There is no such tool.')
  const args = parseArguments(call.arguments)
  if (!Value.Check(tool.parameters, args)) return refuse(call, `Wrong arguments: ${faultsOf(tool.parameters, args)}.`)
  const controller = new AbortController()
  const either = AbortSignal.any([signal, controller.signal])
  try {
    const result = await Promise.race([
      tool.execute(args as never, { signal: either, toolCallId: call.id, spans }),
      sleep(limits.toolTimeoutMs, either).then(() =>
        Promise.reject(new AppError('unavailable', 'tool_timeout', 'it took too long')),
      ),
    ])
    return { toolCallId: call.id, name: call.name, arguments: args, ok: true, result }
  } catch (error) {
    return refuse(call, reasonOf(error), args)
  } finally {
    controller.abort()
  }
}

/** A call that is not, or not successfully, run; `reason` is for the model. */
export function refuse(call: ToolCall, reason: string, args: unknown = null): ToolOutcome {
  return { toolCallId: call.id, name: call.name, arguments: args, ok: false, result: reason }
}

/** Nothing when there is nothing to parse: some models send an empty text for a tool without arguments. */
function parseArguments(text: string): unknown {
  return text.trim() === '' ? {} : parseJsonOrNothing(text)
}

/** The texts of unforeseen errors stay out: they may name hosts, tables or customers. */
function reasonOf(error: unknown): string {
  return error instanceof AppError ? `The tool failed: ${error.message}.` : 'The tool failed.'
}

/** The text of an outcome as the model reads it. */
export function resultText(outcome: ToolOutcome, maxLength: number): string {
  const text = typeof outcome.result === 'string' ? outcome.result : safeJson(outcome.result)
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}… (shortened)`
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value ?? null)
  } catch {
    return 'The result cannot be written down.'
  }
}

export function toDefinitions(tools: ReadonlyMap<string, AgentTool>) {
  return [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }))
}

/** Gives `execute` the types of its arguments. */
export function defineTool<Parameters extends TSchema>(tool: AgentTool<Parameters>): AgentTool {
  return tool as AgentTool
}
