import { useSignal } from '@preact/signals'
import { type AssistBusiness, assistBusiness } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { insertion } from '../conversation/state.ts'
import { say } from '../words.ts'

/** Asks the shop's own systems, with personal values masked; a change is done only after a yes. */
export function LookUp({ sessionId }: { sessionId: string }) {
  const query = useSignal('')
  const answer = useSignal<AssistBusiness['result'] | null>(null)
  const ask = async (text: string) => {
    if (text.trim() === '') return
    answer.value = await assistBusiness(desk, { path: { session_id: sessionId }, body: { query: text } })
  }
  const { result, masked_fields: masked } = answer.value ?? {}
  return (
    <section aria-labelledby="look-up-title">
      <h2 id="look-up-title">{say('business')}</h2>
      <form class="stack" onSubmit={(event) => event.preventDefault()}>
        <TextField
          isBare
          label={say('business')}
          placeholder={say('businessHint')}
          value={query.value}
          onInput={(text) => (query.value = text)}
        />
        <div>
          <Button isSmall type="submit" onPress={() => ask(query.value)}>
            {say('lookUp')}
          </Button>
        </div>
      </form>
      {result && (
        <div class="passage" role="status">
          <span class="pre">{result.reply}</span>
          {masked && masked.length > 0 && (
            <span class="second small">{say('masked', { fields: masked.join(', ') })}</span>
          )}
          {result.need_confirmation ? (
            <>
              <strong>{say('needsYes')}</strong>
              <span class="row">
                <Button isSmall kind="primary" onPress={() => ask(say('yes'))}>
                  {say('yes')}
                </Button>
                <Button isSmall onPress={() => ask(say('no'))}>
                  {say('no')}
                </Button>
              </span>
            </>
          ) : (
            <div>
              <Button
                isSmall
                onPress={() => void (insertion.value = { text: result.reply, sources: [], isWhole: false })}
              >
                {say('intoReply')}
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  )
}
