import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatBytes } from '../../../../shared/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check, Choice, TextField } from '../../../ui/fields.tsx'
import { KNOWLEDGE_TYPES, type KnowledgeType } from '../names.ts'
import { say } from '../words.ts'
import { type ChosenFile, namesOf } from './files.ts'
import { offered } from './offered.ts'
import { load } from './uploads.ts'

/** Asks what the files are before customers get to see them. */
export function UploadDialog() {
  if (offered.value.length === 0) return null
  return <Offer files={offered.value} onClose={() => (offered.value = [])} />
}

const EXAMPLES = 4

function Offer({ files, onClose }: { files: readonly ChosenFile[]; onClose: () => void }) {
  const type = useSignal<KnowledgeType | ''>('')
  const audience = useSignal<'' | 'customers' | 'staff'>('')
  const category = useSignal('')
  const isChecked = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const names = namesOf(files)
  const renamed = files.filter(({ file }, index) => file.name !== names[index]).length
  useEffect(() => form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus(), [])
  const start = () => {
    load(
      files.map(({ file }, index) => ({ file, name: names[index] ?? file.name })),
      {
        knowledge_type: type.value || undefined,
        product_category: category.value.trim() || undefined,
        audience: audience.value || undefined,
        validate_quality: isChecked.value || undefined,
      },
    )
    onClose()
  }
  return (
    <Dialog title={say('loadTitle', { n: files.length })} onClose={onClose}>
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <p class="second dense">
          {names.slice(0, EXAMPLES).join(', ')}
          {names.length > EXAMPLES && ' …'} · {formatBytes(files.reduce((sum, { file }) => sum + file.size, 0))}
        </p>
        {renamed > 0 && <p class="dense">{say('renamed', { n: renamed })}</p>}
        <div class="two-fields">
          <Choice
            label={say('type')}
            value={type.value}
            options={[
              { value: '', text: say('asBeforeType') },
              ...KNOWLEDGE_TYPES.map((value) => ({ value, text: say(`type.${value}`) })),
            ]}
            onChange={(value) => (type.value = value)}
          />
          <TextField
            label={say('category')}
            value={category.value}
            placeholder={say('asBeforeCategory')}
            maxLength={200}
            onInput={(value) => (category.value = value)}
          />
        </div>
        <Choice
          label={say('audience')}
          hint={audience.value === '' ? say('asBeforeHint') : undefined}
          value={audience.value}
          options={[
            { value: '', text: say('asBefore') },
            { value: 'customers', text: say('audience.customers') },
            { value: 'staff', text: say('audience.staff') },
          ]}
          onChange={(value) => (audience.value = value)}
        />
        <Check label={say('validate')} checked={isChecked.value} onChange={(checked) => (isChecked.value = checked)} />
        <footer class="dialog-footer">
          <Button onPress={onClose}>{say('cancel')}</Button>
          <Button kind="primary" type="submit">
            {say('loadNow', { n: files.length })}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
