import { Value } from 'typebox/value'
import { checkedByHandler, readForm, type UploadedForm } from '../../http/multipart.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import {
  AddedCase,
  NewCaseBody,
  RemovedTestset,
  SavedTestset,
  TestsetForm,
  TestsetList,
  TestsetParams,
} from './schemas.ts'
import { DEFAULT_CATEGORY } from './testset-file.ts'
import type { Testsets } from './testsets.ts'

const tags = ['evaluation']

/** Needs `acceptUploads` on `app`. */
export function testsetRoutes(
  app: App,
  { testsets }: { testsets: Pick<Testsets, 'list' | 'save' | 'add' | 'remove'> },
): void {
  app.post(
    '/api/v1/evaluation/testsets',
    {
      schema: {
        summary: 'Upload a test set',
        description:
          'A list of `{query, expected_sources?, expected_doc_ids?, expected_content?, category?, history?}`. A set of the ' +
          'same name is replaced.',
        tags,
        consumes: ['multipart/form-data'],
        body: TestsetForm,
        response: { 200: SavedTestset, ...errors(400, 401, 409, 413, 415, 422, 503) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request) => {
      const { name, file } = toTestset(await readForm(request))
      return { name, ...(await testsets.save(name, file)) }
    },
  )

  app.get(
    '/api/v1/evaluation/testsets',
    { schema: { summary: 'Test sets that a run can name', tags, response: { 200: TestsetList, ...errors(401, 503) } } },
    async () => toSnakeCase(await testsets.list()),
  )

  app.post(
    '/api/v1/evaluation/testsets/:name/cases',
    {
      schema: {
        summary: 'Add a case to a test set',
        description: 'A set that is not there is made; a case with the same question is replaced.',
        tags,
        params: TestsetParams,
        body: NewCaseBody,
        response: { 200: AddedCase, ...errors(400, 401, 409, 422, 503) },
      },
    },
    async ({ params: { name }, body }) => {
      const cases = await testsets.add(name, {
        query: body.query,
        expectedSources: body.expected_sources ?? [],
        expectedDocIds: body.expected_doc_ids ?? [],
        expectedContent: body.expected_content ?? [],
        category: body.category ?? DEFAULT_CATEGORY,
        history: [],
      })
      return { name, cases }
    },
  )

  app.delete(
    '/api/v1/evaluation/testsets/:name',
    {
      schema: {
        summary: 'Delete a test set',
        tags,
        params: TestsetParams,
        response: { 200: RemovedTestset, ...errors(401, 404, 409, 422, 503) },
      },
    },
    async ({ params }) => {
      await testsets.remove(params.name)
      return { name: params.name, success: true }
    },
  )
}

function toTestset({ file, fields }: UploadedForm) {
  if (!file) throw new AppError('invalid', 'validation', 'file: is required')
  const fileName = file.name.split(/[/\\]/).at(-1) ?? ''
  const name = fields.name?.trim() || fileName.replace(/\.[^.]*$/, '')
  if (!Value.Check(TestsetParams, { name })) {
    const reason = 'must have 1 to 100 letters, digits, blanks, dots, dashes or underscores'
    throw new AppError('invalid', 'validation', `name: ${reason}`)
  }
  return { name, file: { name: fileName, bytes: file.bytes } }
}
