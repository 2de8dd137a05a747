import { FolderUpdates } from './folder-updates.tsx'
import { WebsiteImports } from './website-imports.tsx'
import './sources.css'

/** Where documents come from by themselves: websites and folders. */
export function Sources() {
  return (
    <div class="sources">
      <WebsiteImports />
      <FolderUpdates />
    </div>
  )
}
