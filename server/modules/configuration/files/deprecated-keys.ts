// Keys of an earlier version in a file: left out before its shape is checked, with a warning each.
import type { FieldPath } from '#server/modules/configuration/checks/finding-types.ts';
import type { FileKind } from '#server/modules/configuration/configuration.ts';
import { DEPRECATED_KEYS, describeEnd } from '#server/platform/deprecations.ts';

type Group = Record<string, unknown>;

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns a body without them; `given` stays as it is */
export function takeDeprecatedKeys(
  kind: FileKind,
  given: unknown,
): { body: unknown; warnings: { at: FieldPath; reason: string }[] } {
  const warnings: { at: FieldPath; reason: string }[] = [];
  let body = given;
  for (const key of DEPRECATED_KEYS.filter(({ file }) => file === kind)) {
    const reason = `${describeEnd(key)}; ${key.instead}`;
    const isTaken = (value: unknown): boolean => key.mayBe === undefined || key.mayBe.includes(value);
    body = without(body, key.at, isTaken, (at) => warnings.push({ at, reason }));
  }
  return { body, warnings };
}

/** Copies only what changes: files are large and hardly ever hold such a key. */
function without(
  value: unknown,
  [step = '', ...rest]: readonly string[],
  isTaken: (value: unknown) => boolean,
  tell: (at: FieldPath) => void,
  above: FieldPath = [],
): unknown {
  if (step === '*')
    return Array.isArray(value)
      ? value.map((entry, index) => without(entry, rest, isTaken, tell, [...above, index]))
      : value;
  if (!isGroup(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...others } = value;
  const at = [...above, step];
  if (rest.length > 0) return { ...value, [step]: without(inner, rest, isTaken, tell, at) };
  if (!isTaken(inner)) return value;
  tell(at);
  return others;
}
