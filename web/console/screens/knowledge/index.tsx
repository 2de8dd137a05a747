import { place } from '../../shell/router.ts'
import { DocumentPage } from './document/document-page.tsx'
import { Library } from './library.tsx'
import './knowledge.css'

/** What the assistant answers from: all documents, or one of them. */
export function Screen() {
  const [docId] = place.value.parts
  return docId ? <DocumentPage key={docId} docId={docId} /> : <Library />
}
