// Finds what a script uses of the browser that one of the oldest lacks.
import { parse } from 'acorn';
import { api, builtins, type Feature, lackingIn } from './support.ts';

export type Finding = { name: string; lacking: string[] };

type Node = { type: string; [key: string]: unknown };
type Note = (name: string, lacking: string[]) => unknown;

/** Objects whose members are names of the page itself. */
const GLOBALS = new Set(['globalThis', 'window', 'self']);

/** Member name -> all features of instances that have it. */
const MEMBERS = new Map<string, Feature[]>();
for (const group of [builtins, builtins.Intl ?? {}, api])
  for (const type of Object.values(group))
    for (const [name, feature] of Object.entries(type as object) as [string, Feature][])
      if (!name.startsWith('__') && !name.endsWith('_static'))
        MEMBERS.set(name, [...(MEMBERS.get(name) ?? []), feature]);

/**
 * Features by their name, "Map.groupBy", "Intl.Segmenter", ".checkVisibility" or ".scrollend_event". Throws where there
 * is syntax that came after ES2022, which all of the oldest know.
 */
export function findInScript(code: string): Finding[] {
  const found = new Map<string, string[]>();
  const note: Note = (name, lacking) => lacking.length > 0 && found.set(name, lacking);
  visit(parse(code, { ecmaVersion: 2022, sourceType: 'module' }) as unknown as Node, note);
  return [...found].map(([name, lacking]) => ({ name, lacking }));
}

function visit(node: Node, note: Note): void {
  // `typeof X` and `X?.()` ask first.
  if (node.type === 'UnaryExpression' && node.operator === 'typeof') return;
  const path = pathOf(node);
  if (path) for (const { name, feature } of named(path)) note(name, lackingIn(feature));
  if (node.type === 'CallExpression' && !node.optional) noteCall(node, note);
  for (const [key, value] of Object.entries(node)) {
    // Names that are no values: of members, keys and labels.
    if (!node.computed && (key === 'property' || key === 'key') && isNode(value) && value.type === 'Identifier')
      continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, note);
  }
}

/** "Intl.Segmenter" of a member of a name; null where the object is anything else. */
function pathOf(node: Node): string[] | null {
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type !== 'MemberExpression' || node.computed || !isNode(node.object)) return null;
  const object = pathOf(node.object);
  if (!object) return null;
  const path = [...object, nameOf(node.property)];
  return GLOBALS.has(path[0] ?? '') ? path.slice(1) : path;
}

function named([first = '', second]: string[]): { name: string; feature: Feature }[] {
  const group = (first === 'Intl' ? builtins.Intl : builtins) as Record<string, Feature>;
  if (second === undefined) {
    const feature = [builtins, api, api.Window ?? {}].find((one) => Object.hasOwn(one, first))?.[first as never];
    return feature ? [{ name: first, feature }] : [];
  }
  const name = `${first}.${second}`;
  const of = first === 'Intl' ? group[second] : (builtins[first]?.[second] ?? api[first]?.[`${second}_static`]);
  return of ? [{ name, feature: of }] : [];
}

/**
 * A call of a member of something unknown: lacking where every type that has it lacks it. Reading one is no fault, it is
 * undefined there.
 */
function noteCall({ callee, arguments: given }: Node, note: Note): void {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || callee.computed) return;
  const member = nameOf(callee.property);
  const [first] = given as Node[];
  if (member === 'addEventListener' && first?.type === 'Literal') noteMember(`${String(first.value)}_event`, note);
  const path = pathOf(callee);
  if (!path || named(path).length === 0) noteMember(member, note);
}

function noteMember(member: string, note: Note): void {
  const all = (MEMBERS.get(member) ?? []).map(lackingIn);
  if (all.length > 0 && all.every((lacking) => lacking.length > 0)) note(`.${member}`, all[0] ?? []);
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node.name ?? '') : '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
