export type Identity = 'session' | 'user'

/**
 * Stands in for an id where the caller is nobody known: always the same for one id, on every replica, so that lists can
 * be followed; and never to be turned back, nor good for anything that the id is good for. An empty id stays empty.
 */
export type Pseudonym = (of: Identity, id: string) => string
