import { useEffect } from 'preact/hooks'
import {
  type ListAgentSessionAttachments,
  listAgentSessionAttachments,
} from '../../../../../clients/typescript/src/index.ts'
import { formatBytes } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { useResource } from '../../../ui/resource.tsx'
import type { Conversation, Message } from './state.ts'

type SentFile = ListAgentSessionAttachments['result']['attachments'][number]

/** Links open a file for an hour. */
const FRESH_MS = 30 * 60_000
/** Text of a message that is a file: its name. */
const NAME = /^\[[^\n]+\]$/

/** Files of a conversation by their messages; asked for where a message may be one. */
export function useFiles({ session_id: id, history }: Conversation): ReadonlyMap<string, SentFile> {
  const named = history.filter(({ content }) => NAME.test(content)).map(({ message_id }) => message_id)
  const resource = useResource(`files ${id} ${named.join()}`, async (signal) =>
    named.length === 0
      ? []
      : (await listAgentSessionAttachments(desk, { path: { session_id: id }, signal })).attachments,
  )
  useEffect(() => {
    if (named.length === 0) return
    const timer = setInterval(() => void resource.reload(), FRESH_MS)
    return () => clearInterval(timer)
  }, [id, named.length])
  return new Map((resource.data.value ?? []).map((file) => [file.message_id, file]))
}

/** The file below the message that it is: a picture as one, anything else by its name. */
export function FileOf({ message, files }: { message: Message; files: ReadonlyMap<string, SentFile> }) {
  const file = files.get(message.message_id)
  if (!file) return null
  const { url, file_name: name, media_type: type, size } = file
  return (
    <a class={`message-file ${message.role}`} href={url} target="_blank" rel="noreferrer">
      {type.startsWith('image/') && <img src={url} alt="" />}
      <span>{name}</span> <span class="second small">{formatBytes(size)}</span>
    </a>
  )
}
