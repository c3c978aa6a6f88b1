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

type Schema = Readonly<Record<string, unknown>>;

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
      const name = String(params.additionalProperty);
      const patterns = Object.keys((parentSchema.patternProperties ?? {}) as object);
      const known = [...Object.keys((parentSchema.properties ?? {}) as object), ...patterns.flatMap(namesIn)];
      return parentSchema.title === undefined
        ? `is not known here; ${suggest(name, known)}`
        : `is ${explainCode(name, known, parentSchema)}`;
    }
    case 'enum': {
      const allowed = (params.allowedValues as unknown[]).map(String);
      return parentSchema.title === undefined
        ? `${showValue(data)} is not allowed; ${suggest(String(data), allowed)}`
        : `${showValue(data)} is ${explainCode(String(data), allowed, parentSchema)}`;
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

/** "^(AED|AFN)$" -> AED, AFN; nothing for a pattern of another kind. */
function namesIn(pattern: string): string[] {
  return /^\^\(([\w|-]+)\)\$$/.exec(pattern)?.[1]?.split('|') ?? [];
}

/** A code of a long list: among so many another one of the same length is near by chance. */
function explainCode(written: string, known: readonly string[], { title, examples }: Schema): string {
  const near = findNear(written, known);
  const remedy =
    near && near.length !== written.length
      ? `did you mean "${near}"?`
      : `write e.g. ${JSON.stringify(Array.isArray(examples) ? examples[0] : known[0])}`;
  return `not ${withArticle(String(title))}; ${remedy}`;
}

function suggest(written: string, known: readonly string[]): string {
  const near = findNear(written, known);
  return near ? `did you mean "${near}"?` : `known are ${known.join(', ')}`;
}
