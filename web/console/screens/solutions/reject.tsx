import { useSignal } from '@preact/signals'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { say } from './words.ts'

/** Asks why. */
export function RejectDialog({
  onReject,
  onClose,
}: {
  onReject: (reason: string) => Promise<void>
  onClose: () => void
}) {
  const reason = useSignal('')
  return (
    <Dialog title={say('reject')} onClose={onClose}>
      <TextArea
        label={say('reason')}
        hint={say('reasonHint')}
        value={reason.value}
        onInput={(text) => (reason.value = text)}
        rows={3}
      />
      <footer class="dialog-footer">
        <Button
          kind="danger"
          disabled={reason.value.trim() === ''}
          onPress={async () => {
            await onReject(reason.value.trim())
            onClose()
          }}
        >
          {say('reject')}
        </Button>
      </footer>
    </Dialog>
  )
}
