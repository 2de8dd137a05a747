// Made by `npm run client` of the API description; do not edit. Source: sha256 cb5e66d863f0b7c36163fefb6f71ddd6957c70dbb60ba7e240ff8ed4d77e9375
import { callOf, downloadOf, streamOf } from '../operation.ts'

/** Take a waiting session */
export const acceptAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/accept')
/** Accept that two passages are alike or at odds */
export const acceptKnowledgeFinding = /*#__PURE__*/ callOf('PUT /api/v1/knowledge/quality/accepted')
/** Say that somebody looks after an alert */
export const acknowledgeObservabilityAlert = /*#__PURE__*/ callOf('POST /api/v1/observability/alerts/{alert_id}/acknowledge')
/** Make a label */
export const addAgentLabel = /*#__PURE__*/ callOf('POST /api/v1/agent/labels')
/** Save a reply */
export const addAgentReply = /*#__PURE__*/ callOf('POST /api/v1/agent/replies')
/** Send a file to the customer */
export const addAgentSessionAttachment = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/attachments')
/** Make a note on a conversation */
export const addAgentSessionNote = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/notes')
/** Add a team */
export const addAgentTeam = /*#__PURE__*/ callOf('POST /api/v1/agent/teams')
/** Send a file as the customer */
export const addChatSessionAttachment = /*#__PURE__*/ callOf('POST /api/v1/chat/sessions/{session_id}/attachments')
/** Add a person */
export const addConsolePerson = /*#__PURE__*/ callOf('POST /api/v1/console/people')
/** Upload a test set */
export const addEvaluationTestset = /*#__PURE__*/ callOf('POST /api/v1/evaluation/testsets')
/** Add a case to a test set */
export const addEvaluationTestsetCase = /*#__PURE__*/ callOf('POST /api/v1/evaluation/testsets/{name}/cases')
/** Create or replace an experiment */
export const addOperationsExperiment = /*#__PURE__*/ callOf('POST /api/v1/operations/experiments')
/** Record a value of a metric */
export const addOperationsExperimentMetric = /*#__PURE__*/ callOf('POST /api/v1/operations/experiments/{name}/metrics')
/** Make a widget with a public key */
export const addSettingsWidget = /*#__PURE__*/ callOf('POST /api/v1/settings/widgets')
/** Submit what a person answered, for review */
export const addSolution = /*#__PURE__*/ callOf('POST /api/v1/escalation/solution')
/** Tell a program elsewhere what happens here */
export const addWebhook = /*#__PURE__*/ callOf('POST /api/v1/webhooks')
/** Send a file */
export const addWidgetAttachment = /*#__PURE__*/ callOf('POST /api/v1/widget/attachments')
/** Begin a conversation, or go on with one */
export const addWidgetSession = /*#__PURE__*/ callOf('POST /api/v1/widget/sessions')
/** Approve a solution: it becomes part of the knowledge base */
export const approveEscalationSolution = /*#__PURE__*/ callOf('POST /api/v1/escalation/solutions/{solution_id}/approve')
/** Take a document out of use and keep it */
export const archiveKnowledgeDocument = /*#__PURE__*/ callOf('POST /api/v1/knowledge/documents/{doc_id}/archive')
/** Ask, and get the whole reply at once */
export const askQuestion = /*#__PURE__*/ callOf('POST /api/v1/chat')
/** Look up or change what belongs to the customer, with personal values masked */
export const assistBusiness = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/business-assist')
/** Do something with many conversations at once */
export const bulkAgentSessions = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/bulk')
/** The Model Context Protocol, over streamable HTTP */
export const callMcp = /*#__PURE__*/ callOf('POST /mcp')
/** Call a person */
export const callPersonFromWidget = /*#__PURE__*/ callOf('POST /api/v1/widget/handoff')
/** Cancel an evaluation */
export const cancelEvaluationRun = /*#__PURE__*/ callOf('DELETE /api/v1/evaluation/runs/{run_id}')
/** No longer wait for a person */
export const cancelHandoff = /*#__PURE__*/ callOf('POST /api/v1/chat/sessions/{session_id}/handoff/cancel')
/** Cancel a run over past tickets */
export const cancelMiningRun = /*#__PURE__*/ callOf('DELETE /api/v1/mining/runs/{run_id}')
/** Cancel a search for better parameters */
export const cancelTunerRun = /*#__PURE__*/ callOf('DELETE /api/v1/tuner/runs/{run_id}')
/** Cancel an update of a folder */
export const cancelUpdateRun = /*#__PURE__*/ callOf('DELETE /api/v1/update/runs/{run_id}')
/** Take a call for a person back */
export const cancelWidgetHandoff = /*#__PURE__*/ callOf('POST /api/v1/widget/handoff/cancel')
/** Check what customers can find */
export const checkKnowledgeQuality = /*#__PURE__*/ callOf('POST /api/v1/knowledge/quality/check')
/** What changed from one report to another */
export const compareEvaluation = /*#__PURE__*/ callOf('GET /api/v1/evaluation/compare')
/** What changed from another report to this one */
export const compareEvaluationReport = /*#__PURE__*/ callOf('GET /api/v1/evaluation/reports/{report_id}/compare')
/** Compare what customers find with what they would find after the promotion */
export const compareKnowledgeCanary = /*#__PURE__*/ callOf('POST /api/v1/knowledge/canary/compare')
/** Remove a label, from all conversations too */
export const deleteAgentLabel = /*#__PURE__*/ callOf('DELETE /api/v1/agent/labels/{label_id}')
/** Remove a saved reply */
export const deleteAgentReply = /*#__PURE__*/ callOf('DELETE /api/v1/agent/replies/{reply_id}')
/** Remove a note: its author, an admin or the key */
export const deleteAgentSessionNote = /*#__PURE__*/ callOf('DELETE /api/v1/agent/sessions/{session_id}/notes/{note_id}')
/** Remove a team */
export const deleteAgentTeam = /*#__PURE__*/ callOf('DELETE /api/v1/agent/teams/{team_id}')
/** Take a link back */
export const deleteBusinessLink = /*#__PURE__*/ callOf('DELETE /api/v1/business/links/{channel}/{channel_user_id}')
/** Remove a person */
export const deleteConsolePerson = /*#__PURE__*/ callOf('DELETE /api/v1/console/people/{name}')
/** Erase what is known of a customer */
export const deleteCustomer = /*#__PURE__*/ callOf('DELETE /api/v1/customers/{user_id}')
/** Drop a draft */
export const deleteEscalationSolution = /*#__PURE__*/ callOf('DELETE /api/v1/escalation/solutions/{solution_id}')
/** Delete a test set */
export const deleteEvaluationTestset = /*#__PURE__*/ callOf('DELETE /api/v1/evaluation/testsets/{name}')
/** Delete all chunks of a document, registered or not */
export const deleteKnowledgeDocument = /*#__PURE__*/ callOf('DELETE /api/v1/knowledge/documents/{doc_id}')
/** Cancel an import of a website */
export const deleteKnowledgeImportWebsite = /*#__PURE__*/ callOf('DELETE /api/v1/knowledge/import/website/{run_id}')
/** Let an alert be heard again */
export const deleteObservabilityAlertSilence = /*#__PURE__*/ callOf('DELETE /api/v1/observability/alerts/{alert_id}/silence')
/** Remove an experiment and its results */
export const deleteOperationsExperiment = /*#__PURE__*/ callOf('DELETE /api/v1/operations/experiments/{name}')
/** Have no working hours */
export const deleteSettingsHours = /*#__PURE__*/ callOf('DELETE /api/v1/settings/hours')
/** Revoke a widget for ever */
export const deleteSettingsWidget = /*#__PURE__*/ callOf('DELETE /api/v1/settings/widgets/{widget_id}')
/** Remove a webhook, with what still waits for it */
export const deleteWebhook = /*#__PURE__*/ callOf('DELETE /api/v1/webhooks/{webhook_id}')
/** Submit what was answered, for review and reuse */
export const draftSolution = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/solution')
/** End a log-in */
export const endLogIn = /*#__PURE__*/ callOf('DELETE /api/v1/console/sessions/{log_in_id}')
/** End an experiment and keep its results */
export const endOperationsExperiment = /*#__PURE__*/ callOf('POST /api/v1/operations/experiments/{name}/end')
/** Conversations as a file, a line for every message */
export const exportAgentSessions = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/export')
/** Everything that is known of a customer */
export const exportCustomer = /*#__PURE__*/ callOf('GET /api/v1/customers/{user_id}/export')
/** What happens in the workspace, as it happens */
export const followAgentEvents = /*#__PURE__*/ streamOf('GET /api/v1/agent/events')
/** What people say in the session, as it happens */
export const followChatSessionEvents = /*#__PURE__*/ streamOf('GET /api/v1/chat/sessions/{session_id}/events')
/** How an evaluation goes on, as it happens */
export const followEvaluationRunEvents = /*#__PURE__*/ streamOf('GET /api/v1/evaluation/runs/{run_id}/events')
/** How an import of a website goes on, as it happens */
export const followKnowledgeImportWebsiteEvents = /*#__PURE__*/ streamOf('GET /api/v1/knowledge/import/website/{run_id}/events')
/** How a run over past tickets goes on, as it happens */
export const followMiningRunEvents = /*#__PURE__*/ streamOf('GET /api/v1/mining/runs/{run_id}/events')
/** How a search for better parameters goes on, as it happens */
export const followTunerRunEvents = /*#__PURE__*/ streamOf('GET /api/v1/tuner/runs/{run_id}/events')
/** How an update of a folder goes on, as it happens */
export const followUpdateRunEvents = /*#__PURE__*/ streamOf('GET /api/v1/update/runs/{run_id}/events')
/** What people say in the conversation, as it happens */
export const followWidgetEvents = /*#__PURE__*/ streamOf('GET /api/v1/widget/events')
/** Whether people are there now, and when that changes */
export const getAgentHours = /*#__PURE__*/ callOf('GET /api/v1/agent/hours')
/** A saved reply */
export const getAgentReply = /*#__PURE__*/ callOf('GET /api/v1/agent/replies/{reply_id}')
/** A session with its card and everything that was said */
export const getAgentSession = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/{session_id}')
/** What one has begun to write in a conversation */
export const getAgentSessionDraft = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/{session_id}/draft')
/** The work of people on conversations, in numbers */
export const getAgentStatistics = /*#__PURE__*/ callOf('GET /api/v1/agent/statistics')
/** A file, by its signed link */
export const getAttachment = /*#__PURE__*/ downloadOf('GET /api/v1/attachments/{attachment_id}')
/** How much waits for somebody, by kind */
export const getConsoleTodo = /*#__PURE__*/ callOf('GET /api/v1/console/todo')
/** One solution */
export const getEscalationSolution = /*#__PURE__*/ callOf('GET /api/v1/escalation/solutions/{solution_id}')
/** One report with its cases */
export const getEvaluationReport = /*#__PURE__*/ callOf('GET /api/v1/evaluation/reports/{report_id}')
/** How far an evaluation is, or what became of it */
export const getEvaluationRun = /*#__PURE__*/ callOf('GET /api/v1/evaluation/runs/{run_id}')
/** How far a run is */
export const getEvaluationStatus = /*#__PURE__*/ callOf('GET /api/v1/evaluation/status')
/** Liveness probe */
export const getHealth = /*#__PURE__*/ callOf('GET /api/v1/health')
/** A document and its versions */
export const getKnowledgeDocument = /*#__PURE__*/ callOf('GET /api/v1/knowledge/documents/{doc_id}')
/** What changed from one version to another */
export const getKnowledgeDocumentVersionDiff = /*#__PURE__*/ callOf('GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/diff')
/** The file that a version was read from */
export const getKnowledgeDocumentVersionFile = /*#__PURE__*/ downloadOf('GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/file')
/** A gap with its questions, newest first */
export const getKnowledgeGap = /*#__PURE__*/ callOf('GET /api/v1/knowledge/gaps/{gap_id}')
/** How far an import of a website is, or what became of it */
export const getKnowledgeImportWebsite = /*#__PURE__*/ callOf('GET /api/v1/knowledge/import/website/{run_id}')
/** What an import of a website did */
export const getKnowledgeImportWebsiteReport = /*#__PURE__*/ callOf('GET /api/v1/knowledge/import/website/reports/{report_id}')
/** What the knowledge base holds */
export const getKnowledgeStats = /*#__PURE__*/ callOf('GET /api/v1/knowledge/stats')
/** Who asks, and what they may do */
export const getLogIn = /*#__PURE__*/ callOf('GET /api/v1/console/session')
/** What a run found */
export const getMiningReport = /*#__PURE__*/ callOf('GET /api/v1/mining/reports/{report_id}')
/** How far a run over past tickets is, or what became of it */
export const getMiningRun = /*#__PURE__*/ callOf('GET /api/v1/mining/runs/{run_id}')
/** The latest report, and how far a running one is */
export const getMiningStatus = /*#__PURE__*/ callOf('GET /api/v1/mining/status')
/** Turns and sessions at a glance */
export const getMonitorOverview = /*#__PURE__*/ callOf('GET /api/v1/monitor/overview')
/** One turn with its steps and sub-tasks */
export const getMonitorTrace = /*#__PURE__*/ callOf('GET /api/v1/monitor/traces/{trace_id}')
/** Every health check */
export const getObservabilityHealth = /*#__PURE__*/ callOf('GET /api/v1/observability/health')
/** Tokens, calls and costs in the last minute, hour or day */
export const getObservabilityTokenUsage = /*#__PURE__*/ callOf('GET /api/v1/observability/token-usage')
/** How the service does, at most 30 seconds old */
export const getOperationsDashboard = /*#__PURE__*/ callOf('GET /api/v1/operations/dashboard')
/** The variant of a session or customer */
export const getOperationsExperimentAssignment = /*#__PURE__*/ callOf('GET /api/v1/operations/experiments/{name}/assignment')
/** What must be right before customers come */
export const getOperationsReleaseChecklist = /*#__PURE__*/ callOf('GET /api/v1/operations/release-checklist')
/** One number over time, for charts */
export const getOperationsSeries = /*#__PURE__*/ callOf('GET /api/v1/operations/series')
/** The reply cache */
export const getPerformanceCacheStats = /*#__PURE__*/ callOf('GET /api/v1/performance/cache/stats')
/** How fast, how busy, how often from the cache */
export const getPerformanceMetrics = /*#__PURE__*/ callOf('GET /api/v1/performance/metrics')
/** Every setting as it is in force */
export const getSettings = /*#__PURE__*/ callOf('GET /api/v1/settings')
/** How calls find their people, and how long customers should wait */
export const getSettingsAssignment = /*#__PURE__*/ callOf('GET /api/v1/settings/assignment')
/** What the assistant is called, and how it speaks */
export const getSettingsAssistant = /*#__PURE__*/ callOf('GET /api/v1/settings/assistant')
/** The working hours */
export const getSettingsHours = /*#__PURE__*/ callOf('GET /api/v1/settings/hours')
/** A widget */
export const getSettingsWidget = /*#__PURE__*/ callOf('GET /api/v1/settings/widgets/{widget_id}')
/** Several numbers over time and as a whole, beside those of the time before */
export const getSeveralOperationsSeries = /*#__PURE__*/ callOf('GET /api/v1/operations/series/several')
/** Parameters in force, their defaults and ranges */
export const getTunerParams = /*#__PURE__*/ callOf('GET /api/v1/tuner/params')
/** How far a search for better parameters is, or what became of it */
export const getTunerRun = /*#__PURE__*/ callOf('GET /api/v1/tuner/runs/{run_id}')
/** What a search for better parameters found */
export const getTunerSearch = /*#__PURE__*/ callOf('GET /api/v1/tuner/searches/{search_id}')
/** How far a search is, and what the last one found */
export const getTunerSearchStatus = /*#__PURE__*/ callOf('GET /api/v1/tuner/auto')
/** What became of an update */
export const getUpdateReport = /*#__PURE__*/ callOf('GET /api/v1/update/reports/{report_id}')
/** How far an update of a folder is, or what became of it */
export const getUpdateRun = /*#__PURE__*/ callOf('GET /api/v1/update/runs/{run_id}')
/** The last update, and how far a running one is */
export const getUpdateStatus = /*#__PURE__*/ callOf('GET /api/v1/update/status')
/** A webhook */
export const getWebhook = /*#__PURE__*/ callOf('GET /api/v1/webhooks/{webhook_id}')
/** A delivery, with its body and every attempt */
export const getWebhookDelivery = /*#__PURE__*/ callOf('GET /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}')
/** How a widget looks and what it offers, by its public key */
export const getWidgetSettings = /*#__PURE__*/ callOf('GET /api/v1/widget/settings')
/** Where the conversation stands: its place in the queue, whether people are there */
export const getWidgetState = /*#__PURE__*/ callOf('GET /api/v1/widget/state')
/** Load customers or orders into the embedded records */
export const importBusiness = /*#__PURE__*/ callOf('POST /api/v1/business/import')
/** Load past tickets */
export const importMiningTickets = /*#__PURE__*/ callOf('POST /api/v1/mining/tickets/import')
/** Upload a document */
export const ingestKnowledge = /*#__PURE__*/ callOf('POST /api/v1/knowledge/ingest')
/** Put a version into the canary collection */
export const ingestKnowledgeCanary = /*#__PURE__*/ callOf('POST /api/v1/knowledge/canary/ingest')
/** Drop every cached reply, on every replica */
export const invalidatePerformanceCache = /*#__PURE__*/ callOf('POST /api/v1/performance/cache/invalidate')
/** Leave a message and an address, for people to answer later */
export const leaveWidgetMessage = /*#__PURE__*/ callOf('POST /api/v1/widget/offline')
/** Labels for conversations, by name */
export const listAgentLabels = /*#__PURE__*/ callOf('GET /api/v1/agent/labels')
/** Ratings of customers, the newest first */
export const listAgentRatings = /*#__PURE__*/ callOf('GET /api/v1/agent/ratings')
/** Saved replies, the newest first */
export const listAgentReplies = /*#__PURE__*/ callOf('GET /api/v1/agent/replies')
/** Files of a conversation, with fresh links */
export const listAgentSessionAttachments = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/{session_id}/attachments')
/** Labels of a conversation */
export const listAgentSessionLabels = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/{session_id}/labels')
/** Notes on a conversation, the newest first */
export const listAgentSessionNotes = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/{session_id}/notes')
/** All conversations, also those of the assistant, or those in which something was said */
export const listAgentSessions = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions')
/** Teams, and whose calls are theirs */
export const listAgentTeams = /*#__PURE__*/ callOf('GET /api/v1/agent/teams')
/** Changes of the assistant’s settings, newest first */
export const listAssistantHistory = /*#__PURE__*/ callOf('GET /api/v1/settings/assistant/history')
/** What people changed, the newest first */
export const listAuditEntries = /*#__PURE__*/ callOf('GET /api/v1/console/audit')
/** Customers of WeChat and DingTalk who are linked, the newest first */
export const listBusinessLinks = /*#__PURE__*/ callOf('GET /api/v1/business/links')
/** Files of a conversation, with fresh links */
export const listChatSessionAttachments = /*#__PURE__*/ callOf('GET /api/v1/chat/sessions/{session_id}/attachments')
/** The conversation so far, oldest first */
export const listChatSessionMessages = /*#__PURE__*/ callOf('GET /api/v1/chat/sessions/{session_id}/messages')
/** People who work with the service */
export const listConsolePeople = /*#__PURE__*/ callOf('GET /api/v1/console/people')
/** Erasures so far, the newest first */
export const listCustomerErasures = /*#__PURE__*/ callOf('GET /api/v1/customers/erasures')
/** Solutions in any state, newest first */
export const listEscalationSolutions = /*#__PURE__*/ callOf('GET /api/v1/escalation/solutions')
/** Reports, newest first, without their cases */
export const listEvaluationReports = /*#__PURE__*/ callOf('GET /api/v1/evaluation/reports')
/** The last 200 runs of an evaluation, newest first */
export const listEvaluationRuns = /*#__PURE__*/ callOf('GET /api/v1/evaluation/runs')
/** Test sets that a run can name */
export const listEvaluationTestsets = /*#__PURE__*/ callOf('GET /api/v1/evaluation/testsets')
/** Ratings of replies, the last given first */
export const listFeedback = /*#__PURE__*/ callOf('GET /api/v1/chat/feedback')
/** Keys by name, what each may do, and when it was last used */
export const listKeys = /*#__PURE__*/ callOf('GET /api/v1/keys')
/** Passages of a version in their order */
export const listKnowledgeDocumentVersionChunks = /*#__PURE__*/ callOf('GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/chunks')
/** Versions of a document, newest first */
export const listKnowledgeDocumentVersions = /*#__PURE__*/ callOf('GET /api/v1/knowledge/documents/{doc_id}/versions')
/** List registered documents, or with `registered=false` the others */
export const listKnowledgeDocuments = /*#__PURE__*/ callOf('GET /api/v1/knowledge/documents')
/** What customers asked and was not answered, grouped by meaning */
export const listKnowledgeGaps = /*#__PURE__*/ callOf('GET /api/v1/knowledge/gaps')
/** Browsers that are logged in */
export const listLogIns = /*#__PURE__*/ callOf('GET /api/v1/console/sessions')
/** The last 200 runs of a run over past tickets, newest first */
export const listMiningRuns = /*#__PURE__*/ callOf('GET /api/v1/mining/runs')
/** Every agent and what it has done */
export const listMonitorAgents = /*#__PURE__*/ callOf('GET /api/v1/monitor/agents')
/** Active sessions, the last active first */
export const listMonitorSessions = /*#__PURE__*/ callOf('GET /api/v1/monitor/sessions')
/** Recent turns, newest first, without their steps */
export const listMonitorTraces = /*#__PURE__*/ callOf('GET /api/v1/monitor/traces')
/** Alerts, newest first */
export const listObservabilityAlerts = /*#__PURE__*/ callOf('GET /api/v1/observability/alerts')
/** Circuit breakers by name */
export const listObservabilityCircuitBreakers = /*#__PURE__*/ callOf('GET /api/v1/observability/circuit-breakers')
/** What was measured, and whether the variants differ */
export const listOperationsExperimentResults = /*#__PURE__*/ callOf('GET /api/v1/operations/experiments/{name}/results')
/** All experiments */
export const listOperationsExperiments = /*#__PURE__*/ callOf('GET /api/v1/operations/experiments')
/** The conversations behind a number, newest first */
export const listOperationsSeriesConversations = /*#__PURE__*/ callOf('GET /api/v1/operations/series/conversations')
/** The numbers that there are series of */
export const listOperationsSeriesMetrics = /*#__PURE__*/ callOf('GET /api/v1/operations/series/metrics')
/** Sessions that wait for a person */
export const listPendingSessions = /*#__PURE__*/ callOf('GET /api/v1/agent/sessions/pending')
/** All solutions that wait for review, the oldest first */
export const listPendingSolutions = /*#__PURE__*/ callOf('GET /api/v1/escalation/solutions/pending')
/** Who is there, and how many conversations they have */
export const listPresence = /*#__PURE__*/ callOf('GET /api/v1/agent/presence')
/** Widgets, the newest first */
export const listSettingsWidgets = /*#__PURE__*/ callOf('GET /api/v1/settings/widgets')
/** Changes of the parameters, newest first */
export const listTunerHistory = /*#__PURE__*/ callOf('GET /api/v1/tuner/history')
/** The last 200 runs of a search for better parameters, newest first */
export const listTunerRuns = /*#__PURE__*/ callOf('GET /api/v1/tuner/runs')
/** The last 200 runs of an update of a folder, newest first */
export const listUpdateRuns = /*#__PURE__*/ callOf('GET /api/v1/update/runs')
/** What a webhook was sent, the newest first */
export const listWebhookDeliveries = /*#__PURE__*/ callOf('GET /api/v1/webhooks/{webhook_id}/deliveries')
/** Webhooks, the newest first */
export const listWebhooks = /*#__PURE__*/ callOf('GET /api/v1/webhooks')
/** The last 200 runs of an import of a website, newest first */
export const listWebsiteImports = /*#__PURE__*/ callOf('GET /api/v1/knowledge/import/website')
/** The conversation so far, oldest first, and where it stands */
export const listWidgetMessages = /*#__PURE__*/ callOf('GET /api/v1/widget/messages')
/** Log in, with name and password or with a key */
export const logIn = /*#__PURE__*/ callOf('POST /api/v1/console/session')
/** Log out */
export const logOut = /*#__PURE__*/ callOf('DELETE /api/v1/console/session')
/** Find the frequent problems in past tickets */
export const mineTickets = /*#__PURE__*/ callOf('POST /api/v1/mining/tickets')
/** Upload several documents */
export const postKnowledgeIngestBatch = /*#__PURE__*/ callOf('POST /api/v1/knowledge/ingest/batch')
/** Upload several documents and see each as it is done */
export const postKnowledgeIngestBatchStream = /*#__PURE__*/ streamOf('POST /api/v1/knowledge/ingest/batch/stream')
/** What would change if it were approved */
export const previewSolution = /*#__PURE__*/ callOf('GET /api/v1/escalation/solutions/{solution_id}/preview')
/** Make the canary version the active one */
export const promoteKnowledgeCanary = /*#__PURE__*/ callOf('POST /api/v1/knowledge/canary/promote')
/** Rate what a person did, after the conversation was resolved */
export const rateConversation = /*#__PURE__*/ callOf('POST /api/v1/chat/sessions/{session_id}/rating')
/** Rate a reply; the last rating counts */
export const rateReply = /*#__PURE__*/ callOf('POST /api/v1/chat/sessions/{session_id}/feedback')
/** Rate what a person did, within a day after it was resolved */
export const rateWidgetConversation = /*#__PURE__*/ callOf('POST /api/v1/widget/rating')
/** Rate a reply; the last rating counts */
export const rateWidgetReply = /*#__PURE__*/ callOf('POST /api/v1/widget/feedback')
/** Mark a conversation as read, up to a message or to its end */
export const readAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/read')
/** Passages that help to answer */
export const recommendKnowledge = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/knowledge-recommend')
/** Register a document that was uploaded without it */
export const registerKnowledgeDocument = /*#__PURE__*/ callOf('POST /api/v1/knowledge/documents/{doc_id}/register')
/** Reject a solution, with the reason */
export const rejectEscalationSolution = /*#__PURE__*/ callOf('POST /api/v1/escalation/solutions/{solution_id}/reject')
/** Give a session back to those who wait, or to the assistant */
export const releaseAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/release')
/** A saved reply with the values of a conversation */
export const renderAgentReply = /*#__PURE__*/ callOf('POST /api/v1/agent/replies/{reply_id}/render')
/** Take a review back: the solution waits again */
export const reopenEscalationSolution = /*#__PURE__*/ callOf('POST /api/v1/escalation/solutions/{solution_id}/reopen')
/** Which questions another version answers otherwise */
export const replayKnowledgeDocumentVersion = /*#__PURE__*/ callOf('POST /api/v1/knowledge/documents/{doc_id}/versions/{version}/replay')
/** Send everything again that failed since a time */
export const replayWebhook = /*#__PURE__*/ callOf('POST /api/v1/webhooks/{webhook_id}/replay')
/** Send a delivery again */
export const replayWebhookDelivery = /*#__PURE__*/ callOf('POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay')
/** Set a circuit breaker to CLOSED, on every replica */
export const resetObservabilityCircuitBreaker = /*#__PURE__*/ callOf('POST /api/v1/observability/circuit-breakers/{name}/reset')
/** Give a person a new password, to be changed at the next log-in */
export const resetPassword = /*#__PURE__*/ callOf('POST /api/v1/console/people/{name}/password')
/** Set every parameter to its default */
export const resetTuner = /*#__PURE__*/ callOf('POST /api/v1/tuner/reset')
/** Give an assigned session back to the assistant */
export const resolveAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/resolve')
/** Make an earlier version the active one */
export const rollbackKnowledgeDocument = /*#__PURE__*/ callOf('POST /api/v1/knowledge/documents/{doc_id}/rollback')
/** Give a widget a new public key */
export const rotateSettingsWidget = /*#__PURE__*/ callOf('POST /api/v1/settings/widgets/{widget_id}/rotate')
/** Give a widget a new secret for signing customers */
export const rotateSettingsWidgetSecret = /*#__PURE__*/ callOf('POST /api/v1/settings/widgets/{widget_id}/rotate-secret')
/** Give a webhook a new secret */
export const rotateWebhookSecret = /*#__PURE__*/ callOf('POST /api/v1/webhooks/{webhook_id}/rotate-secret')
/** Ask questions with known answers */
export const runEvaluation = /*#__PURE__*/ callOf('POST /api/v1/evaluation/run')
/** What a question finds, what would be answered, and why */
export const searchKnowledge = /*#__PURE__*/ callOf('POST /api/v1/knowledge/search')
/** Write to the customer */
export const sendAgentMessage = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/messages')
/** A message of any channel */
export const sendGatewayMessage = /*#__PURE__*/ callOf('POST /api/v1/gateway')
/** Change the name or colour of a label */
export const setAgentLabel = /*#__PURE__*/ callOf('PUT /api/v1/agent/labels/{label_id}')
/** Change a saved reply */
export const setAgentReply = /*#__PURE__*/ callOf('PUT /api/v1/agent/replies/{reply_id}')
/** Keep what one has begun to write in a conversation */
export const setAgentSessionDraft = /*#__PURE__*/ callOf('PUT /api/v1/agent/sessions/{session_id}/draft')
/** Set the labels of a conversation */
export const setAgentSessionLabels = /*#__PURE__*/ callOf('PUT /api/v1/agent/sessions/{session_id}/labels')
/** Change a note: its author, an admin or the key */
export const setAgentSessionNote = /*#__PURE__*/ callOf('PUT /api/v1/agent/sessions/{session_id}/notes/{note_id}')
/** Change a team */
export const setAgentTeam = /*#__PURE__*/ callOf('PUT /api/v1/agent/teams/{team_id}')
/** Say which customer of the shop a customer of WeChat or DingTalk is */
export const setBusinessLinks = /*#__PURE__*/ callOf('PUT /api/v1/business/links')
/** Change one’s own password */
export const setConsolePassword = /*#__PURE__*/ callOf('PUT /api/v1/console/password')
/** Change what a person is called, may do, or whether they may log in */
export const setConsolePerson = /*#__PURE__*/ callOf('PUT /api/v1/console/people/{name}')
/** Edit a solution, or a draft of one, before it is approved */
export const setEscalationSolution = /*#__PURE__*/ callOf('PUT /api/v1/escalation/solutions/{solution_id}')
/** Change whom a document is for, its title, address, type or category */
export const setKnowledgeDocument = /*#__PURE__*/ callOf('PUT /api/v1/knowledge/documents/{doc_id}')
/** Ignore a gap, or look after it again */
export const setKnowledgeGap = /*#__PURE__*/ callOf('PUT /api/v1/knowledge/gaps/{gap_id}')
/** Say that one is there, or away */
export const setPresence = /*#__PURE__*/ callOf('POST /api/v1/agent/presence')
/** Set how calls find their people, and how long customers should wait */
export const setSettingsAssignment = /*#__PURE__*/ callOf('PUT /api/v1/settings/assignment')
/** Change any of the assistant’s settings */
export const setSettingsAssistant = /*#__PURE__*/ callOf('PUT /api/v1/settings/assistant')
/** Set the working hours */
export const setSettingsHours = /*#__PURE__*/ callOf('PUT /api/v1/settings/hours')
/** Change a widget */
export const setSettingsWidget = /*#__PURE__*/ callOf('PUT /api/v1/settings/widgets/{widget_id}')
/** Change any subset of the parameters */
export const setTunerParams = /*#__PURE__*/ callOf('PUT /api/v1/tuner/params')
/** Change a webhook */
export const setWebhook = /*#__PURE__*/ callOf('PUT /api/v1/webhooks/{webhook_id}')
/** Say that a person is writing to the customer */
export const showAgentTyping = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/typing')
/** Say that the customer is writing */
export const showCustomerTyping = /*#__PURE__*/ callOf('POST /api/v1/chat/sessions/{session_id}/typing')
/** Say that the customer is writing */
export const showWidgetTyping = /*#__PURE__*/ callOf('POST /api/v1/widget/typing')
/** Keep an alert quiet for a while */
export const silenceObservabilityAlert = /*#__PURE__*/ callOf('POST /api/v1/observability/alerts/{alert_id}/silence')
/** Start an evaluation */
export const startEvaluationRun = /*#__PURE__*/ callOf('POST /api/v1/evaluation/runs')
/** Start a run over past tickets */
export const startMiningRun = /*#__PURE__*/ callOf('POST /api/v1/mining/runs')
/** Start a search for better parameters */
export const startTunerRun = /*#__PURE__*/ callOf('POST /api/v1/tuner/runs')
/** Search for better parameters */
export const startTunerSearch = /*#__PURE__*/ callOf('POST /api/v1/tuner/auto')
/** Start an update of a folder */
export const startUpdateRun = /*#__PURE__*/ callOf('POST /api/v1/update/runs')
/** Start an import of a website */
export const startWebsiteImport = /*#__PURE__*/ callOf('POST /api/v1/knowledge/import/website')
/** Ask, and get the reply as it is written */
export const streamAnswer = /*#__PURE__*/ streamOf('POST /api/v1/chat/stream')
/** Say something, and get the reply as it is written */
export const streamWidgetAnswer = /*#__PURE__*/ streamOf('POST /api/v1/widget/messages')
/** Hand a draft in for review */
export const submitEscalationSolution = /*#__PURE__*/ callOf('POST /api/v1/escalation/solutions/{solution_id}/submit')
/** Take a session, also one that nobody called a person for */
export const takeAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/take')
/** Messages of a DingTalk robot */
export const takeDingtalkMessage = /*#__PURE__*/ callOf('POST /api/v1/gateway/dingtalk')
/** WeChat's messages and events */
export const takeWechatMessage = /*#__PURE__*/ callOf('POST /api/v1/gateway/wechat')
/** Send an event that tells of nothing, to try a webhook */
export const testWebhook = /*#__PURE__*/ callOf('POST /api/v1/webhooks/{webhook_id}/test')
/** Hand a session to a colleague */
export const transferAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/transfer')
/** Bring an earlier version of the assistant’s settings back */
export const undoSettingsAssistant = /*#__PURE__*/ callOf('POST /api/v1/settings/assistant/undo')
/** Mark a conversation as unread */
export const unreadAgentSession = /*#__PURE__*/ callOf('POST /api/v1/agent/sessions/{session_id}/unread')
/** Take in the new and changed files of a folder */
export const updateKnowledgeFromChanges = /*#__PURE__*/ callOf('POST /api/v1/update/incremental')
/** Take in one file */
export const updateKnowledgeFromFile = /*#__PURE__*/ callOf('POST /api/v1/update/file')
/** Make the knowledge base agree with a folder */
export const updateKnowledgeFromFolder = /*#__PURE__*/ callOf('POST /api/v1/update/full')
/** WeChat's check of the callback address */
export const verifyWechatCallback = /*#__PURE__*/ callOf('GET /api/v1/gateway/wechat')
/** Take a version out of the canary collection */
export const withdrawKnowledgeCanary = /*#__PURE__*/ callOf('POST /api/v1/knowledge/canary/withdraw')
