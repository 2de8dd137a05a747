import type { UploadOptions } from '../knowledge/upload/uploads.ts'

/** Documents of the sample shop, as files that the page brings along; fetched when somebody wants them. */
const FILES = import.meta.glob<string>('../../../../sample/help-centre/*/*', {
  query: '?url',
  import: 'default',
  eager: true,
})

export const SAMPLE_OPTIONS: UploadOptions = { knowledge_type: 'faq' }

export async function fetchSample(): Promise<{ name: string; file: File }[]> {
  return Promise.all(
    Object.entries(FILES).map(async ([path, address]) => {
      const name = path.split('/').at(-1) ?? path
      const response = await fetch(address)
      if (!response.ok) throw new TypeError(name)
      return { name, file: new File([await response.blob()], name) }
    }),
  )
}
