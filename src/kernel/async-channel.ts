/** Why `give` rejects: whoever iterated has stopped, and nobody takes anything any more. */
export class ConsumerLeft extends Error {
  constructor() {
    super('The consumer left')
  }
}

/**
 * The items that `work` gives, as an iteration that ends in what it resolves to, or throws what it rejects with. Both
 * go in step: `work` begins with the first step of the iteration, and `give` resolves when the next item is asked for.
 * When the iteration is ended early, `give` rejects with `ConsumerLeft`, and the iteration waits until `work` has
 * ended. One item is given at a time.
 */
export async function* asyncChannel<Item, Result>(
  work: (give: (item: Item) => Promise<void>) => Promise<Result>,
): AsyncGenerator<Item, Result> {
  let given = deferred<IteratorResult<Item, Result>>()
  let asked = deferred<void>()
  const running = work((value) => {
    given.resolve({ done: false, value })
    return asked.promise
  }).then(
    (value) => given.resolve({ done: true, value }),
    (error: unknown) => given.reject(error),
  )
  try {
    for (;;) {
      const step = await given.promise
      if (step.done) return step.value
      given = deferred()
      yield step.value
      const { resolve } = asked
      asked = deferred()
      resolve()
    }
  } finally {
    asked.reject(new ConsumerLeft())
    await running
  }
}

/** A promise that may reject while nobody listens: whoever is concerned by it has left, or has not come yet. */
function deferred<Value>(): PromiseWithResolvers<Value> {
  const made = Promise.withResolvers<Value>()
  made.promise.catch(() => {})
  return made
}
