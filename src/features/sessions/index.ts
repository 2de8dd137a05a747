export { adoptSession, ensureSession, feedbackIn, saveContact } from './contact-queries.ts'
export { assertOwnSession, sessionOfCustomer } from './customer-sessions.ts'
export { type CustomerViewOptions, createCustomerView, type Viewed } from './customer-view.ts'
export { type FeedbackFilter, listFeedback, type Rated, type RatedPosition } from './feedback-queries.ts'
export {
  callbackOf,
  contextOfGuest,
  type Origin,
  originOf,
  otherUser,
  type SessionIdentity,
  type Speaker,
} from './identity.ts'
export { presentMessage } from './present.ts'
export {
  activityAfter,
  allMessages,
  type DoubtfulReply,
  deskMessagesAfter,
  findMessage,
  findSession,
  insertMessage,
  lastDeskSeq,
  lastMessageSeq,
  latestMessage,
  listConversations,
  messagesAfter,
  newestSeq,
  ratedReplies,
  recentQuestions,
  tellDesk,
  unansweredQuestions,
  unsureReplies,
} from './queries.ts'
export { AgentStatusText, CardBody, EventsHeaders, messageFields, SessionParams, UserId } from './schemas.ts'
export * from './types.ts'
