import { toNodes } from '../widget/markdown.ts'
import { byId, type Content, type Language, link, make, read, setLanguage } from './page.ts'

interface Passage {
  heading_path: string[]
  question: string | null
  content: string
}
interface HelpPage {
  language: Language
  title: string
  passages: Passage[]
}

const BACK = { en: 'Lantern', zh: '灯笼商城' } as const

await show()

/** A document of the sample shop, which answers name as their source. */
async function show(): Promise<void> {
  const { language, title, passages } = await read<HelpPage>(`${location.pathname}/text`)
  setLanguage(language)
  document.title = `${title} | ${BACK[language]}`
  byId('home').replaceWith(link(`/demo?lang=${language}`, BACK[language]))
  byId('title').textContent = title
  byId('text').replaceChildren(...passages.flatMap((passage, at) => toContent(passage, passages[at - 1], title)))
}

/** A passage below those of its headings that the one before it did not stand under. */
function toContent({ heading_path: path, question, content }: Passage, before: Passage | undefined, title: string) {
  const known = before?.heading_path ?? [title]
  const shared = path.findIndex((heading, depth) => known[depth] !== heading)
  const news = shared < 0 ? [] : path.slice(shared).filter((heading) => heading !== title)
  const headings: Content[] = news.map((heading) => make(path.indexOf(heading) > 1 ? 'h3' : 'h2', heading))
  if (question !== null && question !== before?.question && question !== path.at(-1))
    headings.push(make('h2', question))
  return [...headings, ...toNodes(content)]
}
