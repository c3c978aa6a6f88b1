// A small file of one list of names, such as modules.yaml: its faults have the same places as those of all other files.
import type { Fault } from '#server/modules/configuration/checks/finding-types.ts';
import type { TextFault } from '#server/platform/utf8.ts';
import { readYaml } from './read-yaml.ts';

export type ListFile = {
  readonly entries: readonly { readonly name: string; faultOf(reason: string): Fault }[];
  readonly faults: readonly Fault[];
};

/** @param key of the list, the only one that the file has */
export function readListFile(file: string, text: string | TextFault, key: string): ListFile {
  const yaml = readYaml(text);
  const faultAt = (at: readonly (string | number)[], reason: string, line = yaml.lineOf(at)): Fault => {
    const field = yaml.fieldOf(at);
    return { file, line, field, reason, sentence: `${file}:${line}: ${field === '' ? '' : `${field}: `}${reason}` };
  };
  if (yaml.syntaxFaults.length > 0)
    return { entries: [], faults: yaml.syntaxFaults.map(({ line, reason }) => faultAt([], reason, line)) };
  const body = yaml.body as Readonly<Record<string, unknown>> | null;
  const list = typeof body === 'object' && body !== null ? body[key] : undefined;
  if (!Array.isArray(list)) return { entries: [], faults: [faultAt([], `has no list "${key}"; write ${key}: [...]`)] };
  const strange = Object.keys(body ?? {}).filter((one) => one !== key);
  const faults = strange.map((one) => faultAt([one], `is no setting; the only one is ${key}`));
  const entries = (list as unknown[]).flatMap((name, index) => {
    const faultOf = (reason: string) => faultAt([key, index], reason);
    if (typeof name === 'string' && name !== '') return [{ name, faultOf }];
    faults.push(
      faultOf(`${JSON.stringify(name)} is no text; write the name of a package, or a path that begins with ./`),
    );
    return [];
  });
  return { entries, faults };
}
