import { type DestinationStream, type Logger, pino } from 'pino'
import { logContext } from '../kernel/log-context.ts'

/** Headers that carry secrets, wherever a logged object holds them. */
const SECRETS = ['headers["x-api-key"]', 'headers.authorization', 'headers.cookie', '*.headers', 'apiKey', '*.apiKey']

/** Structured lines on standard output, without secrets; features never log what people wrote. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: () => ({ ...logContext() }),
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[secret]' },
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return destination ? pino(options, destination) : pino(options)
}
