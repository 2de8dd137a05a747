import { useSignal } from '@preact/signals'
import type { StartWebsiteImport } from '../../../../../clients/typescript/src/index.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { say } from './words.ts'

const LIMIT = '500'

export function WebsiteForm({ onStart }: { onStart: (body: StartWebsiteImport['body']) => Promise<void> }) {
  const url = useSignal('')
  const sitemap = useSignal('')
  const prefix = useSignal('')
  const limit = useSignal(LIMIT)
  if (!may('knowledge')) return <p class="second dense">{say('mayNot')}</p>
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <div class="source-line">
        <TextField
          label={say('url')}
          type="url"
          value={url.value}
          placeholder="https://shop.example/help"
          onInput={(value) => (url.value = value)}
        />
        <Button
          kind="primary"
          type="submit"
          disabled={url.value.trim() === ''}
          onPress={() =>
            onStart({
              url: url.value.trim(),
              sitemap: sitemap.value.trim() || undefined,
              path_prefix: prefix.value.trim() || undefined,
              limit: Number(limit.value) || undefined,
            })
          }
        >
          {say('start')}
        </Button>
      </div>
      <details>
        <summary class="dense">{say('more')}</summary>
        <div class="stack source-more">
          <TextField
            label={say('sitemap')}
            hint={say('sitemapHint')}
            type="url"
            value={sitemap.value}
            placeholder="https://shop.example/sitemap.xml"
            onInput={(value) => (sitemap.value = value)}
          />
          <div class="two-fields">
            <TextField
              label={say('prefix')}
              value={prefix.value}
              placeholder="/help/"
              onInput={(value) => (prefix.value = value)}
            />
            <TextField
              label={say('limit')}
              type="number"
              min={1}
              value={limit.value}
              onInput={(value) => (limit.value = value)}
            />
          </div>
        </div>
      </details>
    </form>
  )
}
