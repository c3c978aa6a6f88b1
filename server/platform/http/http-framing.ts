// Requests that two readers could understand differently, and what never becomes a request at all.
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { CODES } from '#contracts/errors.ts';
import type { Texts } from '#server/platform/texts.ts';
import { PLAIN_HEADERS } from './http-headers.ts';

/** Names and values in turn, as they came. */
export function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** `http://host/path` -> its parts; a target that is a path has no authority. @source RFC 9112, 3.2.2 */
export function splitTarget(target: string): { authority: string | null; path: string } {
  const [, authority = null, path = target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  return { authority, path: path.startsWith('/') ? path : `/${path}` };
}

/** A proxy in between may have gone by the one, and we by the other. */
export function namesOtherHost({ originalUrl, headers }: FastifyRequest): boolean {
  const { authority } = splitTarget(originalUrl);
  return authority !== null && authority.toLowerCase() !== headers.host?.toLowerCase();
}

const PARSER_STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

const PARSER_HEADERS = Object.entries(PLAIN_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Answers in the envelope, with the headers of every answer, and ends the connection. */
export function hangUp(texts: Texts, error: Error & { code?: string }, socket: Socket): void {
  const { code, text } = CODES.badRequest;
  disconnect({ code, msg: texts('en', text), content: null }, error, socket);
}

/** Answers what is no request with a body of the caller's choice, and ends the connection. */
export function disconnect(answer: object, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const body = JSON.stringify(answer);
  const headers =
    `content-type: application/json; charset=utf-8\r\n${PARSER_HEADERS}connection: close\r\ncontent-length: ` +
    `${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${PARSER_STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\n${headers}\r\n\r\n${body}`);
}
