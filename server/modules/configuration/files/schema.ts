// The shape of the kinds of file: compiled once for the check, written out as JSON Schema for editors.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { BrandFile } from '#contracts/brand-file.ts';
import { ChannelsFile } from '#contracts/channels-file.ts';
import { GameFile } from '#contracts/game-file.ts';
import { RegionsFile } from '#contracts/regions-file.ts';
import type { FileKind } from '#server/modules/configuration/configuration.ts';
import { explainSchemaError } from '#server/modules/configuration/checks/explain-rules.ts';
import type { FieldPath } from '#server/modules/configuration/checks/finding-types.ts';

const KINDS = {
  brand: { schema: BrandFile, title: 'Refill brand', about: 'brands/<key>/brand.yaml' },
  game: { schema: GameFile, title: 'Refill game', about: 'games/<id>/game.yaml' },
  channels: { schema: ChannelsFile, title: 'Refill payment channels', about: 'channels/channels.yaml' },
  regions: { schema: RegionsFile, title: 'Refill payment regions', about: 'regions/regions.yaml' },
} as const satisfies Record<FileKind, unknown>;

export type BodyOf = { brand: BrandFile; game: GameFile; channels: ChannelsFile; regions: RegionsFile };

// All errors, because an operator wants to hear everything at once; verbose, because the sentences quote the schema.
const ajv = new Ajv({ allErrors: true, verbose: true, strictRequired: false });
const validators = new Map<FileKind, ValidateFunction>();

/** Compiled at first use: a running shop reads no files, and they cost it half a second and tens of megabytes. */
function validatorOf(kind: FileKind): ValidateFunction {
  const known = validators.get(kind);
  if (known) return known;
  const made = ajv.compile(KINDS[kind].schema);
  validators.set(kind, made);
  return made;
}

/** Checks a body against the shape of its kind. @returns what does not fit, empty when everything does */
export function checkShape(kind: FileKind, body: unknown): { at: FieldPath; reason: string }[] {
  const validate = validatorOf(kind);
  if (validate(body)) return [];
  return (validate.errors ?? []).map((error) => ({ at: pathOf(error, body), reason: explainSchemaError(error) }));
}

/** Published schemas by file name, as text that ends with a line feed. */
export function writeSchemas(): Map<string, string> {
  return new Map(
    Object.entries(KINDS).map(([kind, { schema, title, about }]) => {
      const name = `${kind}.schema.json`;
      const published = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: `https://refill.example/schemas/${name}`,
        title,
        description: about,
        ...schema,
      };
      return [name, `${JSON.stringify(published, null, 2)}\n`];
    }),
  );
}

function pathOf(error: ErrorObject, body: unknown): FieldPath {
  const path: (string | number)[] = [];
  let value = body;
  for (const part of error.instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(key) : key;
    value = (value as Record<string | number, unknown>)[step];
    path.push(step);
  }
  const named: unknown = error.params.missingProperty ?? error.params.additionalProperty;
  return typeof named === 'string' ? [...path, named] : path;
}
