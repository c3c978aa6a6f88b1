// Finds refused words in the names and comments of one file, and comments that begin with a question word.
import { type Glossary, partsOf } from './glossary.ts';
import { type Found, scanFile } from './scan.ts';

/** A comment that begins so is a noun that looks like a question: it hides its subject and its verb. */
const QUESTION = /^(?:What|Who|Whether|Where)\b/;

/** `kept`: names of the table "Names that stay" that were met; one that is met nowhere should leave the table. */
export type Words = { find(path: string, text: string): string[]; readonly kept: ReadonlySet<string> };

export function createWords({ names, phrases, kept }: Glossary): Words {
  const met = new Set<string>();
  const wholes = names
    .filter(({ isWhole }) => isWhole)
    .map(({ say, name }) => ({ say, form: new RegExp(`^${name.replaceAll('*', '.*')}$`) }));
  const sequences = names.filter(({ isWhole }) => !isWhole).map(({ say, name }) => ({ say, parts: partsOf(name) }));
  const says = phrases.map(({ say, phrase }) => ({ say, phrase, form: new RegExp(`\\b${phrase}\\b`, 'i') }));
  // Most names stand in many files.
  const judged = new Map<string, string | null>();

  const judge = (name: string): string | null => {
    const known = judged.get(name);
    if (known !== undefined) return known;
    const parts = partsOf(name);
    const rule =
      wholes.find(({ form }) => form.test(name)) ??
      sequences.find((one) => parts.some((_, at) => one.parts.every((part, index) => parts[at + index] === part)));
    judged.set(name, rule?.say ?? null);
    return rule?.say ?? null;
  };
  const staysAt = (path: string, name: string): boolean => {
    const stays = kept.some((one) => one.name === name && one.where.some((start) => path.startsWith(start)));
    if (stays) met.add(name);
    return stays;
  };
  const ofName = (path: string, { text, line }: Found): string[] => {
    const say = judge(text);
    return say === null || staysAt(path, text) ? [] : [`${path}:${line}: ${text}: say "${say}"`];
  };
  const ofComment = (path: string, { text, line }: Found): string[] => {
    const refused = says.filter(({ form }) => form.test(text));
    const faults = refused.map(({ say, phrase }) => `${path}:${line}: "${phrase}" in a comment: say "${say}"`);
    const [word] = QUESTION.exec(text) ?? [];
    if (word) faults.unshift(`${path}:${line}: the comment begins with "${word}": begin with a subject and a verb`);
    return faults;
  };

  return {
    kept: met,
    find: (path, text) => {
      const { identifiers, comments } = scanFile(path, text);
      const first = new Map(identifiers.toReversed().map((one) => [one.text, one]));
      return [
        ...[...first.values()].flatMap((one) => ofName(path, one)),
        ...comments.flatMap((one) => ofComment(path, one)),
      ];
    },
  };
}
