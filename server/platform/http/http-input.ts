// Reads the input of a call, before the contract checks it.
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';

type Done = (error?: Error) => void;

/** PostgreSQL text holds no NUL, and no honest client sends one. */
export function refuseNul(request: FastifyRequest, _reply: unknown, done: Done): void {
  const input = (request.body ?? request.query) as Record<string, unknown> | null;
  for (const value of Object.values(input ?? {})) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      return done(Object.assign(new Error('a value holds characters that no text has'), { statusCode: 400 }));
    }
  }
  done();
}

/**
 * A query is all text: whole numbers of the contract are read here, because coercion is off
 * for the sake of money bodies.
 */
export function numbersFromText(schema: TSchema) {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
  return (request: FastifyRequest, reply: unknown, done: Done): void => {
    const input = request.query as Record<string, unknown>;
    for (const name of names) {
      const text = input[name];
      if (typeof text === 'string' && /^\d{1,15}$/.test(text)) input[name] = Number(text);
    }
    refuseNul(request, reply, done);
  };
}
