import { AppError } from '../../../kernel/errors.ts'
import type { Outbound } from '../outbound.ts'
import type { HttpConnectorConfig, HttpOperation } from './config.ts'
import type { CallGuard, OperationName, RemoteAnswer, RemoteSystem } from './remote.ts'
import { fillJson, fillUrl, type TemplateValues } from './template.ts'

interface Exchange {
  readonly status: number
  readonly body: string
}

/** Statuses that say that the system or our access to it is broken, not that the request was about nothing. */
function isBroken(status: number): boolean {
  return status >= 500 || [401, 403, 407, 408, 429].includes(status)
}

function failed(name: string, status: number): AppError {
  return new AppError('unavailable', 'connector_failed', `${name} answered ${status}`)
}

function methodOf(operation: HttpOperation, name: OperationName): string {
  return operation.method ?? (name === 'apply_change' ? 'POST' : 'GET')
}

function requestInit(
  config: HttpConnectorConfig,
  name: OperationName,
  operation: HttpOperation,
  values: TemplateValues,
) {
  const method = methodOf(operation, name)
  const isChange = name === 'apply_change'
  const body =
    operation.body ?? (isChange ? { kind: '{kind}', items: '{items}', reason: '{reason}', address: '{address}' } : null)
  const headers = {
    accept: 'application/json',
    ...(body !== null && { 'content-type': 'application/json' }),
    ...(isChange && { 'idempotency-key': String(values.idempotency_key) }),
    ...config.headers,
  }
  return { method, headers, ...(body !== null && { body: JSON.stringify(fillJson(body, values)) }) }
}

function answerOf(name: string, operation: HttpOperation, { status, body }: Exchange): RemoteAnswer {
  if ((operation.not_found_status ?? [404, 410]).includes(status)) return null
  if (status === 409 || status === 412) return 'conflict'
  if (status < 200 || status > 299) throw failed(name, status)
  if (body.trim() === '') return { value: {} }
  try {
    return { value: JSON.parse(body) }
  } catch (cause) {
    throw new AppError('unavailable', 'connector_bad_response', `${name} answered without JSON`, { cause })
  }
}

/** A system behind HTTP, as its configuration describes it. The breaker counts failures of the system alone. */
export function createHttpSystem(config: HttpConnectorConfig, outbound: Outbound, breaker: CallGuard): RemoteSystem {
  const { name, operations } = config

  async function exchange(url: string, init: ReturnType<typeof requestInit>): Promise<Exchange> {
    const response = await outbound.fetch(url, init)
    const body = await response.text()
    if (isBroken(response.status)) throw failed(name, response.status)
    return { status: response.status, body }
  }

  return {
    name,
    // The schema cannot express that fields nest or that kinds are kinds; the configuration was checked for both.
    operations: operations as RemoteSystem['operations'],
    call: async (operationName, values) => {
      const operation = operations[operationName]
      if (!operation) throw new AppError('unavailable', 'connector_unsupported', `${name} has no ${operationName}`)
      const url = fillUrl(operation.url, values)
      const init = requestInit(config, operationName, operation, values)
      return answerOf(name, operation, await breaker.run(() => exchange(url, init)))
    },
  }
}
