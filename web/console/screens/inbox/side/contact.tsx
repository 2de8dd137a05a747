import type { Conversation } from '../conversation/state.ts'
import { say } from '../words.ts'

/** Where the customer can be reached. */
export function Contact({ conversation: { contact } }: { conversation: Conversation }) {
  if (!contact) return null
  const values = [contact.name, contact.email, contact.phone].filter(Boolean)
  if (values.length === 0) return null
  return (
    <section aria-labelledby="contact-title">
      <h2 id="contact-title">{say('contact')}</h2>
      {values.map((value) => (
        <p key={value}>{value}</p>
      ))}
      <p class="second small">{say(contact.verified ? 'verified' : 'unverified')}</p>
    </section>
  )
}
