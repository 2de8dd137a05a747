export interface ServerEvent {
  event: string
  data: unknown
  id: string | undefined
}

/**
 * Events of a body, each when it is whole; `onBytes` also hears of the comments between them.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = part.endsWith('\r') ? part.slice(0, -1) : part
      if (line !== '') {
        lines.push(line)
        continue
      }
      const event = toEvent(lines)
      lines = []
      if (event) yield event
    }
  }
}

function toEvent(lines: string[]): ServerEvent | undefined {
  const fields: Record<string, string[]> = { event: [], data: [], id: [] }
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    fields[name]?.push(value)
  }
  if (!fields.data?.length) return undefined
  return { event: fields.event?.at(-1) ?? 'message', data: JSON.parse(fields.data.join('\n')), id: fields.id?.at(-1) }
}
