import { place } from '../../shell/router.ts'
import { Empty } from '../../ui/states.tsx'
import { ConversationView } from './conversation/conversation.tsx'
import { List } from './list/list.tsx'
import { say } from './words.ts'
import './inbox.css'

/** The conversations of everybody, and the one that is chosen. */
export function Screen() {
  const [id] = place.value.parts
  return (
    <div class={`inbox ${id ? 'has-conversation' : ''}`}>
      {/* Outside the list, which a narrow window hides. */}
      <h1 id="inbox-title" class="unseen">
        {say('inbox')}
      </h1>
      <List chosen={id} />
      {id ? <ConversationView key={id} id={id} /> : <Empty title={say('choose')} text={say('chooseText')} />}
    </div>
  )
}
