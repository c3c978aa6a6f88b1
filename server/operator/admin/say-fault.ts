// Turns what the validator found wrong in a call into a sentence for whoever wrote it. Values are never repeated: one
// in the wrong place may be a secret.
import type { TSchema } from 'typebox';
import { FORM_FAULTS } from '#contracts/admin.ts';
import { isStorable } from '#server/platform/http/signed-call.ts';

export type CallPart = 'params' | 'query' | 'body';

/** As typebox tells it. */
export type SchemaFault = { readonly keyword: string; readonly instancePath: string; readonly params: object };

/** One fault of a part that does not fit its schema: `query.limit: it must be a number from 1 to 200`. */
export function sayFault(part: CallPart, schema: TSchema, { keyword, instancePath, params }: SchemaFault): string {
  const { requiredProperties: [missing] = [] } = params as { requiredProperties?: readonly string[] };
  const name = missing ?? instancePath.slice(1);
  // A name of our own, or one that is short and plain: anything else may be a value.
  const isShown = name !== '' && /^\w{1,40}$/.test(name);
  return `${part}${isShown ? `.${name}` : ''}: ${sayReason(part, schema, keyword, params)}`;
}

function sayReason(part: CallPart, schema: TSchema, keyword: string, params: object): string {
  const {
    pattern,
    limit,
    type,
    allowedValues = [],
  } = params as {
    pattern?: string;
    limit?: number;
    type?: string;
    allowedValues?: readonly string[];
  };
  switch (keyword) {
    case 'boolean':
    case 'additionalProperties':
      return `${part === 'body' ? 'a field' : 'a parameter'} of this name is not known; ${sayKnown(schema)}`;
    case 'required':
      return 'it is missing';
    case 'enum':
      return `it must be one of ${allowedValues.join(', ')}`;
    case 'minLength':
      return 'it is empty';
    case 'maxLength':
      return `it is longer than ${limit} characters`;
    case 'minimum':
      return `it must be ${limit} or more`;
    case 'maximum':
      return `it must be ${limit} or less`;
    case 'type':
      // The parser makes a list of a parameter that is repeated.
      return part === 'query' ? 'it is given more than once' : `it must be ${TYPES[type ?? ''] ?? 'of another type'}`;
    default:
      return FORM_FAULTS.get(pattern ?? '') ?? 'it is not as docs/admin-openapi.json says';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
};

function sayKnown(schema: TSchema): string {
  const names = listNames(schema);
  return names.length === 0 ? 'this call takes none' : `known are ${names.join(', ')}`;
}

export function listNames(schema: TSchema): string[] {
  return Object.keys((schema as { properties?: object }).properties ?? {});
}

/** Of a part that fits its schema; null: the database can hold it all. */
export function sayUnstorable(part: CallPart, given: object): string | null {
  const [name] = Object.entries(given).find(([, value]) => !isStorable(value)) ?? [];
  return name === undefined ? null : `${part}.${name}: it has a character that cannot be stored`;
}
