// Turns what the schema check found into a sentence for a person: what is wrong and what to write instead.
import { findNear } from '#kernel/near.ts';

/** The parts of an Ajv error (verbose) that the sentences need. */
export type SchemaError = {
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly data?: unknown;
};

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of keys',
};

/** A value as the operator wrote it, shortened. */
function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The reason of one schema error; a keyword without a sentence of its own is told by its name. */
export function explainSchemaError(error: SchemaError): string {
  const { params, data, parentSchema = {} } = error;
  const example = Array.isArray(parentSchema.examples) ? JSON.stringify(parentSchema.examples[0]) : null;
  switch (error.keyword) {
    case 'required':
      return 'is missing; add it';
    case 'additionalProperties': {
      const known = Object.keys((parentSchema.properties ?? {}) as object);
      return `is not known here; ${suggest(String(params.additionalProperty), known)}`;
    }
    case 'enum': {
      const allowed = (params.allowedValues as unknown[]).map(String);
      return `${showValue(data)} is not allowed; ${suggest(String(data), allowed)}`;
    }
    case 'pattern':
      return `${showValue(data)} is not ${withArticle(String(parentSchema.title))}; write e.g. ${example}`;
    case 'type':
      return explainType(String(params.type), data, example);
    case 'minLength':
      return 'is empty; write at least one character';
    case 'maxLength':
      return `is ${String(data).length} characters long; ${String(params.limit)} are the most`;
    case 'minimum':
      return `${showValue(data)} is too small; ${String(params.limit)} is the least`;
    case 'maximum':
      return `${showValue(data)} is too large; ${String(params.limit)} is the most`;
    case 'minItems':
      return 'is empty; list at least one entry';
    case 'uniqueItems':
      return `lists ${showValue((data as unknown[])[Number(params.i)])} twice; remove one`;
    default:
      return `breaks the rule "${error.keyword}" of the schema; see schemas/`;
  }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function explainType(wanted: string, data: unknown, example: string | null): string {
  if (data === null) return `is empty; write ${TYPE_NAMES[wanted] ?? wanted}`;
  if (wanted === 'string' && (typeof data === 'number' || typeof data === 'boolean')) {
    return `${String(data)} is not text; put it in quotes${example ? `, e.g. ${example}` : `: "${String(data)}"`}`;
  }
  return `${showValue(data)} is not ${TYPE_NAMES[wanted] ?? wanted}; write ${TYPE_NAMES[wanted] ?? wanted}`;
}

function suggest(written: string, known: readonly string[]): string {
  const near = findNear(written, known);
  return near ? `did you mean "${near}"?` : `known are ${known.join(', ')}`;
}
