import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import type { Files } from '../../platform/files.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import {
  deleteCase,
  deleteTestset,
  listTestsets,
  readTestset,
  type StoredTestset,
  saveCase,
  saveTestset,
} from './queries.ts'
import { DEFAULT_CATEGORY, parseTestset } from './testset-file.ts'
import type { EvaluationCase } from './types.ts'

/** The cases over the sample shop that come with the program. */
const BUILTIN = 'builtin'
/** Grows by itself with the solutions that people approve. */
const APPROVED_SOLUTIONS = 'approved-solutions'

const MAX_FILE_BYTES = 16 * 1_048_576

/** Which cases to ask; at most one of them, none: the built-in ones. */
export interface TestsetChoice {
  /** A file of this machine. */
  path?: string | undefined
  /** A stored set, or `builtin`. */
  name?: string | undefined
}

/** A case as another part of the program notes it. */
export type NewCase = Pick<EvaluationCase, 'query' | 'expectedSources' | 'category'>

export type Testsets = ReturnType<typeof createTestsets>

/** Where cases come from: the built-in file, files that requests name, and sets in the database. */
export function createTestsets({ db, files, builtinPath }: { db: Database; files: Files; builtinPath: string }) {
  const readBuiltin = async (): Promise<EvaluationCase[]> => {
    const bytes = await readFile(builtinPath).catch((cause: unknown) => {
      const message = 'testset: the built-in test set is not installed; name one of your own'
      throw new AppError('bad_request', 'testset', message, { cause })
    })
    return parseTestset('testset', basename(builtinPath), bytes)
  }

  return {
    /** Throws bad_request for a path that may not be read, invalid for a broken file, not_found for an unknown name. */
    async load({ path, name }: TestsetChoice): Promise<{ testset: string; cases: EvaluationCase[] }> {
      if (path !== undefined && name !== undefined) {
        throw new AppError('invalid', 'testset', 'testset: give either testset_path or testset')
      }
      if (path !== undefined) {
        const { bytes } = await files.read('testset_path', path, MAX_FILE_BYTES)
        return { testset: path, cases: parseTestset('testset_path', basename(path), bytes) }
      }
      if (name === undefined || name === BUILTIN) return { testset: BUILTIN, cases: await readBuiltin() }
      const cases = await readTestset(db.executor, name)
      if (!cases) throw unknown(name)
      if (cases.length === 0) throw new AppError('invalid', 'testset', 'testset: the test set has no cases')
      return { testset: name, cases }
    },

    /** Every set that a run can name, the built-in one first. */
    async list(): Promise<StoredTestset[]> {
      const cases = await readBuiltin()
      const categories = [...new Set(cases.map(({ category }) => category))].sort()
      const builtin = { name: BUILTIN, cases: cases.length, categories, createdAt: null, updatedAt: null }
      return [builtin, ...(await listTestsets(db.executor))]
    },

    /** Questions of the stored sets that stand alone, each once: those of the built-in set are another shop's. */
    async questions(): Promise<string[]> {
      const sets = await listTestsets(db.executor)
      const cases = await Promise.all(sets.map(({ name }) => readTestset(db.executor, name)))
      const alone = cases.flatMap((each) => each ?? []).filter(({ history }) => history.length === 0)
      return [...new Set(alone.map(({ query }) => query))]
    },

    /** Stores a set under a name, in place of what was there. Throws conflict for the built-in name. */
    async save(name: string, file: { name: string; bytes: Uint8Array }): Promise<{ cases: number; replaced: boolean }> {
      refuseBuiltin(name)
      const cases = parseTestset('file', file.name, file.bytes)
      const isNew = await db.transaction((trx) => saveTestset(trx, name, cases))
      return { cases: cases.length, replaced: !isNew }
    },

    /**
     * Adds a case to a set, which is made if need be, in place of one with the same question. Throws conflict for the
     * built-in name. @returns how many cases the set has then
     */
    async add(name: string, added: EvaluationCase): Promise<number> {
      refuseBuiltin(name)
      return db.transaction(async (trx) => {
        await saveCase(trx, name, added)
        return (await readTestset(trx, name))?.length ?? 0
      })
    },

    /** Throws not_found, and conflict for the built-in name. */
    async remove(name: string): Promise<void> {
      refuseBuiltin(name)
      if (!(await deleteTestset(db.executor, name))) throw unknown(name)
    },

    /** Notes a case in the set of approved solutions, within the caller's transaction. */
    addCase: (executor: Executor, added: NewCase): Promise<void> =>
      saveCase(executor, APPROVED_SOLUTIONS, {
        ...added,
        expectedDocIds: [],
        expectedContent: [],
        category: added.category || DEFAULT_CATEGORY,
        history: [],
      }),

    /** Takes a case out of that set, within the caller's transaction. */
    dropCase: (executor: Executor, query: string): Promise<void> => deleteCase(executor, APPROVED_SOLUTIONS, query),
  }
}

function unknown(name: string): AppError {
  return new AppError('not_found', 'testset', `No test set has the name ${name}`)
}

function refuseBuiltin(name: string): void {
  if (name === BUILTIN) throw new AppError('conflict', 'testset', `The test set ${BUILTIN} cannot be changed`)
}
