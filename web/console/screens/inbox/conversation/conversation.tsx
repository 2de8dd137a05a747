import { useSignal } from '@preact/signals'
import { FrontdeskError } from '../../../api.ts'
import { Empty, Failed, Loading } from '../../../ui/states.tsx'
import { Side } from '../side/side.tsx'
import { say } from '../words.ts'
import { Composer } from './composer.tsx'
import { Header } from './header.tsx'
import { useConversation } from './state.ts'
import { Thread } from './thread.tsx'

/** A conversation, the place to answer, and what is known about it. */
export function ConversationView({ id }: { id: string }) {
  const { resource, isTyping } = useConversation(id)
  const isSideShown = useSignal(false)
  const { data, error, reload } = resource
  if (data.value === undefined) {
    if (error.value instanceof FrontdeskError && error.value.status === 404) return <Empty title={say('gone')} />
    return error.value ? <Failed error={error.value} onRetry={reload} /> : <Loading />
  }
  const state = { ...data.value, reload }
  return (
    <div class={`conversation ${isSideShown.value ? 'shows-side' : ''}`}>
      <section class="conversation-main" aria-labelledby="conversation-title">
        <Header state={state} isSideShown={isSideShown} />
        <Thread state={state} />
        <p class="typing" role="status">
          {isTyping && say('typing')}
        </p>
        <Composer state={state} />
      </section>
      <Side state={state} />
    </div>
  )
}
