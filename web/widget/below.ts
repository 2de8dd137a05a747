import { h } from './dom.ts'
import type { Around } from './entry.ts'
import { toInline } from './markdown.ts'
import type { Settings } from './settings.ts'

const SCORES = [1, 2, 3, 4, 5]

interface BelowParts {
  around: Around
  settings: Settings
  onSay: (text: string) => void
}

/** Things that can be done beside writing: call a person, leave a message for later, rate. */
export function createBelow({ around, settings, onSay }: BelowParts) {
  const { say, conversation, language, onFailure } = around
  const ask = h('div', {})
  const foot = h('div', { class: 'foot' })
  let isLeaving = false
  let shown = ''

  const button = (text: string, work: () => unknown) =>
    h('button', { type: 'button', class: 'small', onclick: () => void work() }, text)
  const leaving = (value: boolean) => {
    isLeaving = value
    update()
    if (value) ask.querySelector('input')?.focus()
  }

  function update(): void {
    const { canRate, now } = conversation
    const sign = JSON.stringify([now.state, isLeaving, canRate])
    if (shown === sign) return
    shown = sign
    const notice = settings.notice[language]
    foot.replaceChildren(...buttons(), ...(notice ? [h('p', {}, ...toInline(notice))] : []))
    if (isLeaving) ask.replaceChildren(leaveForm())
    else if (canRate && settings.asks_for_rating) ask.replaceChildren(ratingForm())
    else ask.replaceChildren()
  }

  function buttons(): HTMLElement[] {
    const { state } = conversation.now
    const status = state?.status ?? 'assistant'
    const found: HTMLElement[] = []
    if (status === 'waiting') found.push(button(say('stopWaiting'), () => conversation.stopWaiting().catch(onFailure)))
    if (!settings.offers_person) return found
    if (status === 'assistant' || status === 'resolved')
      found.push(button(say('person'), () => conversation.callPerson(language).catch(onFailure)))
    const isNobodyThere = state ? state.open_now === false || !state.somebody_there : settings.open_now === false
    if (isNobodyThere && status !== 'person' && !isLeaving) found.push(button(say('leave'), () => leaving(true)))
    return found
  }

  function leaveForm(): HTMLElement {
    const email = h('input', { type: 'email', required: true, autocomplete: 'email' })
    const message = h('textarea', { rows: '3', required: true })
    const send = async () => {
      try {
        await conversation.leave(message.value.trim(), email.value.trim(), language)
        onSay(say('left'))
        leaving(false)
      } catch (error) {
        onFailure(error)
      }
    }
    return h(
      'form',
      {
        class: 'ask',
        onsubmit(event) {
          event.preventDefault()
          void send()
        },
      },
      h('p', {}, say('leaveText')),
      h('label', {}, say('email'), email),
      h('label', {}, say('message'), message),
      h('button', { class: 'go' }, say('leaveSend')),
      button(say('cancel'), () => leaving(false)),
    )
  }

  function ratingForm(): HTMLElement {
    const rate = async (score: number) => {
      await conversation.rate(score).then(() => onSay(say('thanks')), onFailure)
    }
    const stars = SCORES.map((score) =>
      h('button', { class: 'thumb', 'aria-label': say('stars', { n: score }), onclick: () => void rate(score) }, '★'),
    )
    const name = { class: 'ask', role: 'group', 'aria-label': say('rate') }
    return h('div', name, h('p', {}, say('rate')), h('div', { class: 'stars' }, ...stars))
  }

  return { ask, foot, update }
}
