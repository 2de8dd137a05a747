/** Settings of the assistant that people may change while it runs. */
export interface AssistantSettings {
  /** How the assistant calls itself; empty: it has no name. */
  name: string
  /** How a model words its replies, beside the rules that it always has. */
  persona: string
  /** Empty: the usual greeting. */
  greetingEn: string
  greetingZh: string
  /** The model of the reply; empty: the tier's own. */
  model: string
  /** Null: left to the model. */
  temperature: number | null
}
export type AssistantField = keyof AssistantSettings
export const ASSISTANT_FIELDS: readonly AssistantField[] = [
  'name',
  'persona',
  'greetingEn',
  'greetingZh',
  'model',
  'temperature',
]

/** Nothing was set by anybody. */
export const PLAIN_ASSISTANT: AssistantSettings = {
  name: '',
  persona: '',
  greetingEn: '',
  greetingZh: '',
  model: '',
  temperature: null,
}

export type Source = 'default' | 'environment' | 'file'

/** A setting of the environment, as it is in force. */
export interface EffectiveSetting {
  name: string
  /** Null: a secret, which is not shown. */
  value: string | number | boolean | null
  default: string | number | boolean
  isSet: boolean
  isSecret: boolean
  source: Source
  type: 'text' | 'integer' | 'boolean' | 'choice'
  minimum: number | null
  maximum: number | null
  /** Of a choice. */
  values: string[] | null
  description: string
}
