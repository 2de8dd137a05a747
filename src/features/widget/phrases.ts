const CALLS = { zh: '我想和人工客服说话。', en: 'I would like to speak with a person.' } as const

/** Words of a customer who chose to speak with a person and said nothing more. */
export function callOf(language: 'zh' | 'en'): string {
  return CALLS[language]
}

const CONFIRMATION = { zh: ['是的', '不用了'], en: ['Yes', 'No'] } as const

/** Answers to "shall it be done?". */
export function confirmations(language: 'zh' | 'en'): readonly string[] {
  return CONFIRMATION[language]
}
