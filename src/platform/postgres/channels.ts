import type { Engine } from './open.ts'

interface Subscriber {
  handler: (payload: string) => void
  onGap: (() => void) | undefined
}

interface Channel {
  subscribers: Set<Subscriber>
  /** Resolves when the engine listens, to what ends it. */
  begun: Promise<() => Promise<void>>
}

/**
 * Several handlers for each channel, of an engine that keeps one. The engine listens from the first handler of a channel
 * to the last.
 */
export function shareChannels(listen: Engine['listen']): Engine['listen'] {
  const channels = new Map<string, Channel>()
  /** The end of a channel that nobody hears any more: whoever comes next waits, or the end would take theirs away. */
  const endings = new Map<string, Promise<void>>()

  function begin(name: string): Channel {
    const subscribers = new Set<Subscriber>()
    const deliver = (payload: string): void => {
      for (const { handler } of subscribers) handler(payload)
    }
    const missed = (): void => {
      for (const { onGap } of subscribers) onGap?.()
    }
    const begun = (endings.get(name) ?? Promise.resolve()).then(() => listen(name, deliver, missed))
    const channel = { subscribers, begun }
    channels.set(name, channel)
    return channel
  }

  function leave(name: string, channel: Channel, subscriber: Subscriber): Promise<void> {
    const wasThere = channel.subscribers.delete(subscriber)
    if (!wasThere || channel.subscribers.size > 0) return Promise.resolve()
    channels.delete(name)
    const ended = channel.begun.then((stop) => stop()).catch(() => {})
    endings.set(name, ended)
    return ended
  }

  return async (name, handler, onGap) => {
    const channel = channels.get(name) ?? begin(name)
    const subscriber = { handler, onGap }
    channel.subscribers.add(subscriber)
    try {
      await channel.begun
    } catch (error) {
      await leave(name, channel, subscriber)
      throw error
    }
    return () => leave(name, channel, subscriber)
  }
}
