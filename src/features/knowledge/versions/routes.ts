import { noteChange } from '../../../http/changes.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { DocParams } from '../schemas.ts'
import type { Knowledge } from '../service.ts'
import { CanaryBody, CanaryRequest, CompareBody, CompareRequest, RollbackRequest, SwitchBody } from './schemas.ts'

const tags = ['knowledge']
const failures = errors(401, 404, 409, 422)

/** Rollback, and versions that are tried in the canary collection: put there, compared, promoted or taken out. */
export function versionRoutes(app: App, { knowledge }: { knowledge: Knowledge }): void {
  app.post(
    '/api/v1/knowledge/documents/:doc_id/rollback',
    {
      schema: {
        summary: 'Make an earlier version the active one',
        description:
          'One transaction, at once. The version that it replaces becomes `rolled_back`; the active version again ' +
          'changes nothing. 409: the version is in canary, or its chunks were deleted with the document.',
        tags,
        params: DocParams,
        body: RollbackRequest,
        response: { 200: SwitchBody, ...failures },
      },
    },
    async (request) => {
      const { doc_id: docId } = request.params
      const before = await knowledge.detail(docId)
      const rolledBack = toSnakeCase(await knowledge.rollBack(docId, request.body.target_version))
      noteChange(request, {
        before: { version: before?.currentVersion },
        after: { version: request.body.target_version },
      })
      return rolledBack
    },
  )

  trialRoutes(app, knowledge)
}

function trialRoutes(app: App, knowledge: Knowledge): void {
  const onVersion = { tags, body: CanaryRequest }

  app.post(
    '/api/v1/knowledge/canary/ingest',
    {
      schema: {
        summary: 'Put a version into the canary collection',
        description:
          'Customers do not find it there. One version of a document at a time; of the active version a copy goes there, ' +
          'until another version becomes active. A new version comes straight there by `canary=true` of `/knowledge/ingest`.',
        ...onVersion,
        response: { 200: CanaryBody, ...failures },
      },
    },
    async ({ body }) => toSnakeCase(await knowledge.canary.place(body.doc_id, body.version)),
  )

  app.post(
    '/api/v1/knowledge/canary/compare',
    {
      schema: {
        summary: 'Compare what customers find with what they would find after the promotion',
        description:
          '`canary` is the main collection with the canary version in place of its document’s active one. 409: the ' +
          'version is not in canary.',
        tags,
        body: CompareRequest,
        response: { 200: CompareBody, ...failures },
      },
    },
    async ({ body }) => {
      const request = { docId: body.doc_id, version: body.version, queries: body.sample_queries }
      return toSnakeCase(await knowledge.canary.compare(request))
    },
  )

  app.post(
    '/api/v1/knowledge/canary/promote',
    {
      schema: {
        summary: 'Make the canary version the active one',
        description: 'One transaction, at once; the version that it replaces becomes `superseded`.',
        ...onVersion,
        response: { 200: SwitchBody, ...failures },
      },
    },
    async ({ body }) => toSnakeCase(await knowledge.canary.promote(body.doc_id, body.version)),
  )

  app.post(
    '/api/v1/knowledge/canary/withdraw',
    {
      schema: {
        summary: 'Take a version out of the canary collection',
        description: 'It becomes `superseded` and can be put there again.',
        ...onVersion,
        response: { 200: CanaryBody, ...failures },
      },
    },
    async ({ body }) => toSnakeCase(await knowledge.canary.withdraw(body.doc_id, body.version)),
  )
}
