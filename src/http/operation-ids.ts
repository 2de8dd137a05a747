/** Last words of paths that say what is done, and not to what. */
const VERBS = new Set(
  (
    'accept acknowledge approve archive bulk cancel check compare end export import ingest invalidate promote read register reject ' +
    'release reopen render replay reset resolve rollback rotate run silence submit take test transfer undo unread withdraw'
  ).split(' '),
)

/** Plurals that no rule knows, and words that only look like one. */
const SINGULAR: Record<string, string> = {
  people: 'person',
  searches: 'search',
  series: 'series',
  hours: 'hours',
  settings: 'settings',
  stats: 'stats',
  statistics: 'statistics',
  status: 'status',
  params: 'params',
}

/** Routes whose paths read badly. A name that is here once stays: programs elsewhere are written with it. */
const NAMED: Record<string, string> = {
  'POST /chat': 'askQuestion',
  'POST /chat/stream': 'streamAnswer',
  'POST /chat/sessions/{}/feedback': 'rateReply',
  'POST /chat/sessions/{}/rating': 'rateConversation',
  'POST /chat/sessions/{}/typing': 'showCustomerTyping',
  'POST /chat/sessions/{}/handoff/cancel': 'cancelHandoff',
  'GET /operations/series/several': 'getSeveralOperationsSeries',
  'GET /chat/feedback': 'listFeedback',
  'GET /agent/sessions/pending': 'listPendingSessions',
  'POST /agent/sessions/{}/messages': 'sendAgentMessage',
  'POST /agent/sessions/{}/typing': 'showAgentTyping',
  'POST /agent/sessions/{}/knowledge-recommend': 'recommendKnowledge',
  'POST /agent/sessions/{}/business-assist': 'assistBusiness',
  'POST /agent/sessions/{}/solution': 'draftSolution',
  'GET /agent/presence': 'listPresence',
  'POST /agent/presence': 'setPresence',
  'POST /escalation/solution': 'addSolution',
  'GET /escalation/solutions/pending': 'listPendingSolutions',
  'GET /escalation/solutions/{}/preview': 'previewSolution',
  'POST /knowledge/search': 'searchKnowledge',
  'PUT /knowledge/quality/accepted': 'acceptKnowledgeFinding',
  'POST /knowledge/import/website': 'startWebsiteImport',
  'GET /knowledge/import/website': 'listWebsiteImports',
  'POST /update/full': 'updateKnowledgeFromFolder',
  'POST /update/incremental': 'updateKnowledgeFromChanges',
  'POST /update/file': 'updateKnowledgeFromFile',
  'POST /mining/tickets': 'mineTickets',
  'POST /tuner/auto': 'startTunerSearch',
  'GET /tuner/auto': 'getTunerSearchStatus',
  'GET /tuner/history': 'listTunerHistory',
  'GET /performance/metrics': 'getPerformanceMetrics',
  'POST /gateway': 'sendGatewayMessage',
  'POST /gateway/wechat': 'takeWechatMessage',
  'GET /gateway/wechat': 'verifyWechatCallback',
  'POST /gateway/dingtalk': 'takeDingtalkMessage',
  'GET /customers/erasures': 'listCustomerErasures',
  'GET /console/session': 'getLogIn',
  'POST /console/session': 'logIn',
  'DELETE /console/session': 'logOut',
  'DELETE /console/sessions/{}': 'endLogIn',
  'GET /console/sessions': 'listLogIns',
  'POST /console/people/{}/password': 'resetPassword',
  'GET /console/audit': 'listAuditEntries',
  'GET /settings/assistant/history': 'listAssistantHistory',
  'POST /widget/handoff': 'callPersonFromWidget',
  'POST /widget/offline': 'leaveWidgetMessage',
  'POST /widget/feedback': 'rateWidgetReply',
  'POST /widget/rating': 'rateWidgetConversation',
  'POST /widget/typing': 'showWidgetTyping',
  'POST /widget/messages': 'streamWidgetAnswer',
  'POST /mcp': 'callMcp',
}

/**
 * The name of an operation, made of its method and path alone, so that it stays as long as they do: `GET /agent/sessions`
 * is `listAgentSessions`, `POST /agent/sessions/{session_id}/accept` is `acceptAgentSession`.
 */
export function operationIdOf(method: string, url: string): string {
  const parts = url
    .replace(/^\/api\/v1/, '')
    .split('/')
    .filter(Boolean)
  const short = `${method} /${parts.map((part) => (isParameter(part) ? '{}' : part)).join('/')}`
  if (NAMED[short]) return NAMED[short]
  const words = parts.flatMap((part, at) =>
    isParameter(part) ? [] : [isParameter(parts[at + 1]) ? singular(part) : part],
  )
  return camel(isParameter(parts.at(-1)) ? ofOne(method, words) : ofLast(method, words))
}

/** The path ends with a parameter: one thing of several. */
function ofOne(method: string, words: string[]): string[] {
  const isRun = words.at(-1) === 'run'
  const verbs: Record<string, string> = { PUT: 'set', DELETE: isRun ? 'cancel' : 'delete' }
  return [verbs[method] ?? method.toLowerCase(), ...words]
}

function ofLast(method: string, words: string[]): string[] {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const [verb = '', ...rest] = last.split('-')
  const isDone = VERBS.has(verb) && (method === 'POST' || (method === 'GET' && rest.length === 0))
  if (isDone) return [verb, ...before, ...rest]
  if (method === 'POST') return [addingTo(last), ...before, singular(last)]
  return [method === 'GET' ? seeing(last) : method === 'PUT' ? 'set' : method.toLowerCase(), ...words]
}

function addingTo(last: string): string {
  if (last === 'runs') return 'start'
  return isPlural(last) ? 'add' : 'post'
}

function seeing(last: string): string {
  if (last === 'events') return 'follow'
  return isPlural(last) ? 'list' : 'get'
}

const isPlural = (word: string): boolean => singular(word) !== word
const isParameter = (part: string | undefined): boolean => part !== undefined && /^[:{]/.test(part)

function singular(word: string): string {
  if (SINGULAR[word]) return SINGULAR[word]
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function camel(words: string[]): string {
  const [first = '', ...rest] = words.flatMap((word) => word.split(/[^a-zA-Z0-9]+/)).filter(Boolean)
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
