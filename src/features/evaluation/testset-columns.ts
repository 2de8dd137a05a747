import { editDistance } from '../../kernel/nearest-name.ts'

/** Fields that a case of a test set may hold. */
const FIELDS = ['query', 'expected_sources', 'expected_doc_ids', 'expected_content', 'category', 'history'] as const
type Field = (typeof FIELDS)[number]

const KNOWN: ReadonlySet<string> = new Set(FIELDS)
const EXPECTED = FIELDS.filter((field) => field.startsWith('expected_'))

/** Columns that people add for themselves. */
const REMARK =
  /^(?:(?:case|query|question|test)_?)?(?:ids?|no|nr|num|number|index|name)$|^(?:remarks?|notes?|comments?|description|tags?|labels?|lang|language|difficulty|priority|author|date|type|topic|intent)$|^(?:编号|序号|备注|说明|标签|语言|难度|类型|意图)$/i

/** The field that a column with such a name is probably meant as. */
const MEANT: readonly [field: Field, pattern: RegExp][] = [
  ['query', /quer|quest|ask|prompt|utterance|input|问题|提问|问句/i],
  ['expected_doc_ids', /doc.{0,9}id|文档.{0,2}(?:编号|id)/i],
  ['expected_content', /content|answer|repl|response|output|truth|text|答案|回答|内容/i],
  ['expected_sources', /source|file|doc|url|citation|来源|文件|文档/i],
  ['history', /histor|conversation|dialog|turns|历史|对话/i],
  ['category', /categor|分类|类别/i],
]
const MAX_NAMED = 10
const MAX_NAME = 60

/**
 * The problem with the names in a test set; null: none. Further columns are fine, unless one is a misspelt field, or
 * no case says what should be found: then what it expects stands probably in a column that would be passed over, and
 * every question would count as one without an answer.
 */
export function wrongColumns(cases: readonly unknown[]): string | null {
  const names = new Set(cases.flatMap((each) => (isRecord(each) ? namesOf(each) : [])))
  const unknown = [...names].filter((name) => !KNOWN.has(name) && !REMARK.test(name))
  const misspelt = unknown.filter((name) => misspeltField(name) !== undefined)
  const isReadable = names.has('query') && EXPECTED.some((field) => names.has(field))
  const wrong = isReadable ? misspelt : unknown
  return wrong.length === 0 ? null : describe(wrong)
}

/** Names that hold something: an empty column says nothing. */
function namesOf(record: Record<string, unknown>): string[] {
  return Object.keys(record).filter((name) => record[name] !== undefined && record[name] !== null)
}

function describe(wrong: readonly string[]): string {
  const named = wrong.slice(0, MAX_NAMED).map((name) => {
    const meant = misspeltField(name) ?? MEANT.find(([, pattern]) => pattern.test(name))?.[0]
    return `"${name.slice(0, MAX_NAME)}"${meant ? ` (${meant}?)` : ''}`
  })
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : ''
  return `unknown columns ${named.join(', ')}${more}; a case has ${FIELDS.join(', ')}`
}

/** The field that a name differs from in case, marks, a plural or two letters. */
function misspeltField(name: string): Field | undefined {
  const own = letters(name)
  if (own.length < 4 || own.length > MAX_NAME) return undefined
  return FIELDS.find((field) => editDistance(own, letters(field)) <= (field.length > 8 ? 2 : 1))
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
