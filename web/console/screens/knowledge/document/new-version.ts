import { toast } from '../../../ui/toasts.tsx'
import type { ChosenFile } from '../upload/files.ts'
import { load } from '../upload/uploads.ts'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'

/** Loads one file as the next version of a document, under the document's name. */
export function loadVersion({ document }: LoadedDocument, files: readonly ChosenFile[], canary = false): void {
  const [chosen] = files
  if (!chosen || files.length > 1) {
    toast({ kind: 'bad', text: say('oneFile') })
    return
  }
  const { source } = document
  if (extensionOf(chosen.file.name) !== extensionOf(source)) {
    toast({ kind: 'bad', text: say('otherFormat', { format: extensionOf(source) }) })
    return
  }
  load([{ name: source, file: chosen.file }], { canary: canary || undefined })
}

/** Only what came as a file has one that could be replaced. */
export function takesFiles({ document, versions }: LoadedDocument): boolean {
  return document.registered && versions.some(({ file }) => file?.name === document.source)
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
