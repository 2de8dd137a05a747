import type { Arguments, Client, RawInput, Result, Route, RouteWith } from './plain-client.ts'

interface Cursors {
  next?: unknown
  next_before?: unknown
  next_after?: unknown
}
/** Routes whose answers say where the next page begins. */
export type PagedRoute = {
  [R in RouteWith<'result'>]: Result<R> extends Record<string, unknown> | unknown[]
    ? Extract<keyof Result<R>, keyof Cursors> extends never
      ? never
      : R
    : never
}[RouteWith<'result'>] &
  Route

/** Every page of a list from the one that the input asks for, each when it is wanted. */
export async function* pages<R extends PagedRoute>(
  client: Client,
  route: R,
  ...[input]: Arguments<R>
): AsyncGenerator<Result<R>, void, void> {
  const request = client.request as (route: Route, input: RawInput) => Promise<unknown>
  const from = (input ?? {}) as RawInput
  for (let query = from.query; ; ) {
    const page = await request(route, { ...from, ...(query ? { query } : {}) })
    yield page as Result<R>
    const { next, next_before: before = next, next_after: after } = page as Cursors
    if ((before ?? after ?? null) === null) return
    query = { ...from.query, ...(after === undefined ? { before } : { after }) }
  }
}
