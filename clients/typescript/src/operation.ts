import type { StreamEvent, StreamRoute } from './connect.ts'
import type { Arguments, Client, RawInput, Result, RouteWith } from './plain-client.ts'
import { stream } from './stream.ts'

type Call<R extends RouteWith<'result'>> = (client: Client, ...args: Arguments<R>) => Promise<Result<R>>
type Stream<R extends StreamRoute> = (
  client: Client,
  ...args: Arguments<R>
) => AsyncGenerator<StreamEvent<R>, void, void>
type Download<R extends RouteWith<'file'>> = (client: Client, ...args: Arguments<R>) => Promise<Blob>

/** A function for one route. Those that nobody imports are left out of a bundle. */
export function callOf<R extends RouteWith<'result'>>(route: R): Call<R> {
  return (client, ...args) => client.request(route, ...args)
}

export function streamOf<R extends StreamRoute>(route: R): Stream<R> {
  return (client, ...args) => stream(client, route, ...args)
}

export function downloadOf<R extends RouteWith<'file'>>(route: R): Download<R> {
  return async (client, ...[input]) => (await client.send(route, input as RawInput)).blob()
}
