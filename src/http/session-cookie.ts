import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'frontdesk_session'
/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

/** The token of a log-in among the cookies of a request; null: none, or none of ours. */
export function readSessionToken(header: string | undefined): string | null {
  if (header === undefined) return null
  for (const pair of header.split(';')) {
    const [name, value = ''] = pair.split('=', 2)
    if (name?.trim() === NAME && TOKEN.test(value.trim())) return value.trim()
  }
  return null
}

/** Scripts cannot read it, and requests that other sites begin do not carry it. Where the connection is encrypted, it never goes over one that is not. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'header'>,
  token: string,
  maxAgeSeconds: number,
): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${NAME}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`)
}

export function clearSessionCookie(request: FastifyRequest, reply: Pick<FastifyReply, 'header'>): void {
  setSessionCookie(request, reply, '', 0)
}
