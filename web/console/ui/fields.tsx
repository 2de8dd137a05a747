import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldParts {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** The label is read aloud only: what is around says the same. */
  isBare?: boolean
}

interface Described {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/** A label, its control, and what helps to fill it in. */
export function Field({
  label,
  hint,
  error,
  isBare,
  children,
}: FieldParts & { children: (control: Described) => ComponentChildren }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label class={isBare ? 'unseen' : ''} for={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} class="second small">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="field-error small" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

export interface TextProps extends FieldParts {
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'password' | 'search' | 'email' | 'url' | 'number' | 'date' | 'time' | 'datetime-local'
  placeholder?: string | undefined
  required?: boolean
  disabled?: boolean | undefined
  autoComplete?: string
  autoFocus?: boolean
  min?: number | string | undefined
  max?: number | string | undefined
  step?: number | string | undefined
  maxLength?: number | undefined
}

export function TextField({ label, hint, error, isBare, onInput, ...input }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error} isBare={isBare ?? false}>
      {(control) => (
        <input {...control} {...(input as object)} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  isBare,
  onInput,
  rows = 4,
  ...input
}: Omit<TextProps, 'type'> & { rows?: number }) {
  return (
    <Field label={label} hint={hint} error={error} isBare={isBare ?? false}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          value={input.value}
          placeholder={input.placeholder}
          required={input.required}
          disabled={input.disabled}
          maxLength={input.maxLength}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface Option<T extends string> {
  value: T
  text: string
}

export function Choice<T extends string>(
  props: FieldParts & {
    value: T
    options: readonly Option<T>[]
    onChange: (value: T) => void
    disabled?: boolean | undefined
  },
) {
  const { value, options, onChange, disabled } = props
  return (
    <Field label={props.label} hint={props.hint} error={props.error} isBare={props.isBare ?? false}>
      {(control) => (
        <select
          {...control}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Check(props: {
  label: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  )
}
