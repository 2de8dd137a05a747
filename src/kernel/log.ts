type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/**
 * The part of a logger that something needs, so that a test hands over one function. Details are ids, numbers and
 * errors, never what people wrote.
 */
export type Log<Used extends Level = 'warn'> = Record<Used, (details: object, message: string) => void>
