import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { recommendKnowledge } from '../../../../../clients/typescript/src/index.ts'
import { formatShare } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Passage } from '../../../ui/markdown.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { type Conversation, insertion } from '../conversation/state.ts'
import { say } from '../words.ts'
import { latestQuestion } from './knowledge.ts'

const SHOWN = 4
const PAUSE_MS = 300

/** What the knowledge base says to what the customer wrote last, or to what is searched for. */
export function Recommendations({ conversation }: { conversation: Conversation }) {
  const own = useSignal('')
  const asked = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => (asked.value = own.value.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [own.value])
  const query = asked.value || latestQuestion(conversation)
  const path = { session_id: conversation.session_id }
  const found = useResource(query, async (signal) =>
    query ? (await recommendKnowledge(desk, { path, body: { query, top_k: SHOWN }, signal })).chunks : [],
  )
  return (
    <section aria-labelledby="knowledge-title">
      <h2 id="knowledge-title">{say('knowledge')}</h2>
      <TextField
        isBare
        type="search"
        label={say('knowledgeSearch')}
        placeholder={say('knowledgeSearch')}
        value={own.value}
        onInput={(text) => (own.value = text)}
      />
      <Shown of={found} rows={3}>
        {(chunks) =>
          chunks.length === 0 ? (
            <p class="second">{say('nothingKnown')}</p>
          ) : (
            <ul class="stack">
              {chunks.map((chunk) => (
                <li key={chunk.doc_id + chunk.content} class="passage">
                  {chunk.question && <strong>{chunk.question}</strong>}
                  <Passage text={chunk.content} />
                  <span class="row small second">
                    <a href={to('knowledge', chunk.doc_id)} class="clip grow">
                      {chunk.source}
                    </a>
                    <span class="number">{formatShare(chunk.score)}</span>
                    <Button
                      isSmall
                      label={`${say('use')}: ${chunk.source}`}
                      onPress={() =>
                        void (insertion.value = { text: chunk.content.trim(), sources: [chunk.source], isWhole: false })
                      }
                    >
                      {say('use')}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}
