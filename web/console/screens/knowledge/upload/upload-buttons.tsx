import { useRef } from 'preact/hooks'
import { Button } from '../../../ui/button.tsx'
import { say } from '../words.ts'
import { ofInput } from './files.ts'
import { offered } from './offered.ts'

/** Files, or a folder with all that is in it. */
export function UploadButtons() {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    offered.value = ofInput(input.files ?? [])
    input.value = ''
  }
  return (
    <>
      <input ref={files} type="file" multiple hidden data-files onChange={(event) => take(event.currentTarget)} />
      <input
        ref={folder}
        type="file"
        hidden
        data-folder
        {...{ webkitdirectory: true }}
        onChange={(event) => take(event.currentTarget)}
      />
      <Button onPress={() => folder.current?.click()}>{say('loadFolder')}</Button>
      <Button kind="primary" onPress={() => files.current?.click()}>
        {say('loadFiles')}
      </Button>
    </>
  )
}
