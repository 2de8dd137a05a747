import { Button } from '../../../ui/button.tsx'
import { nameOf } from '../../../ui/names.ts'
import { type Conversation, insertion } from '../conversation/state.ts'
import { say } from '../words.ts'

type EscalationCard = NonNullable<Conversation['escalation_card']>

/** Why the assistant called a person, and what is known by then. */
export function Card({ card }: { card: EscalationCard }) {
  const known = Object.entries(card.entities).flatMap(([name, value]) => {
    const text = textOf(value)
    return text ? [{ name, text }] : []
  })
  return (
    <section aria-labelledby="card-title">
      <h2 id="card-title">{say('why')}</h2>
      <p>
        <strong>{nameOf.reason(card.reason)}</strong>
      </p>
      <dl class="facts">
        <dt>{say('asked')}</dt>
        <dd>{card.customer_request}</dd>
        <dt>{say('topic')}</dt>
        <dd>{nameOf.intent(card.intent)}</dd>
        <dt>{say('mood')}</dt>
        <dd>{say(`mood.${moodOf(card.emotion_score)}`)}</dd>
        {card.open_questions.length > 0 && (
          <>
            <dt>{say('open')}</dt>
            <dd>{card.open_questions.join(' · ')}</dd>
          </>
        )}
        {known.length > 0 && (
          <>
            <dt>{say('known')}</dt>
            <dd>{known.map(({ text }) => text).join(' · ')}</dd>
          </>
        )}
      </dl>
      {card.attempted_answers.length > 0 && (
        <details>
          <summary>
            {say('tried')} <span class="number second">{card.attempted_answers.length}</span>
          </summary>
          {card.attempted_answers.map(({ question, answer }) => (
            <div key={question} class="passage machine">
              <strong>{question}</strong>
              <p>{answer}</p>
            </div>
          ))}
        </details>
      )}
      {card.suggested_reply && (
        <div class="passage machine">
          <h3>{say('suggested')}</h3>
          <p>{card.suggested_reply}</p>
          <div>
            <Button
              isSmall
              label={`${say('use')}: ${say('suggested')}`}
              onPress={() => void (insertion.value = { text: card.suggested_reply, sources: [], isWhole: true })}
            >
              {say('use')}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Scores run from -1 (angry) over 0 (calm) to 1. */
function moodOf(score: number): 'good' | 'neutral' | 'bad' | 'angry' {
  if (score <= -0.6) return 'angry'
  if (score <= -0.2) return 'bad'
  return score >= 0.3 ? 'good' : 'neutral'
}
