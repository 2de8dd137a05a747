import { Button } from './button.tsx'
import { toast } from './toasts.tsx'
import { say } from './words.ts'

/** Something that is shown once, or has to be typed elsewhere, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <p class="secret">
      <span>{label}</span>
      <code>{value}</code>
      <CopyButton text={value} />
    </p>
  )
}

export function CopyButton({ text }: { text: string }) {
  return (
    <Button isSmall onPress={() => copy(text)}>
      {say('copy')}
    </Button>
  )
}

/** Browsers give the clipboard to pages of secure contexts alone; elsewhere the text is marked for copying by hand. */
async function copy(text: string): Promise<void> {
  if (!navigator.clipboard) {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  } else await navigator.clipboard.writeText(text)
  toast({ text: say('copied') })
}
