// Finds what a style sheet uses of the browser that one of the oldest lacks, and that has no fallback in the sheet.
import { type CssNode, generate, parse, walk } from 'css-tree';
import type { Finding } from './find-in-scripts.ts';
import { compatOf, css, type Feature, lackingIn } from './support.ts';

type Group = Record<string, Feature>;

const properties = css.properties as Group;
const selectors = css.selectors as Group;
const rules = css['at-rules'] as Group;
const types = css.types as Group;

/** Function name -> its feature: color-mix(), linear(), light-dark(). */
const FUNCTIONS = new Map<string, Feature>();
for (const [name, type] of Object.entries(types)) {
  FUNCTIONS.set(name, type);
  for (const [inner, feature] of Object.entries(type ?? {}) as [string, Feature][]) {
    if (inner === '__compat') continue;
    const written = /^<code>([\w-]+)\(\)/.exec(compatOf(feature)?.description ?? '')?.[1];
    FUNCTIONS.set(written ?? inner, feature);
  }
}
const UNITS: Record<string, string> = {
  d: 'viewport_percentage_units_dynamic',
  s: 'viewport_percentage_units_small',
  l: 'viewport_percentage_units_large',
};

/**
 * Features by their name: "@starting-style", ":has", "field-sizing", "text-wrap: pretty", "linear()", "dvh". What
 * stands inside of `@supports` was asked for; a declaration that an older one of the same property precedes has a
 * fallback.
 */
export function findInStyles(text: string): Finding[] {
  const found = new Map<string, string[]>();
  const note = (name: string, feature: Feature) => {
    const lacking = lackingIn(feature);
    if (lacking.length > 0) found.set(name, lacking);
    return lacking.length > 0;
  };
  const sheet = parse(text, { parseCustomProperty: true });
  walk(sheet, {
    enter(node: CssNode) {
      if (node.type === 'Atrule') {
        if (node.name === 'supports') return walk.skip as never;
        note(`@${node.name}`, rules[node.name]);
      }
      if (node.type === 'Feature' && rules.media) note(`@media ${node.name}`, (rules.media as Group)[node.name]);
      if (node.type === 'PseudoClassSelector' || node.type === 'PseudoElementSelector')
        note(`:${node.name}`, selectors[node.name]);
      if (node.type === 'Block') for (const one of lackingDeclarations(node)) found.set(one.name, one.lacking);
      return undefined;
    },
  });
  return [...found].map(([name, lacking]) => ({ name, lacking }));
}

function lackingDeclarations(block: Extract<CssNode, { type: 'Block' }>): Finding[] {
  /** Properties that have a value for all browsers already. */
  const isGiven = new Set<string>();
  const found: Finding[] = [];
  for (const node of block.children) {
    if (node.type !== 'Declaration') continue;
    const { property } = node;
    const lacking = lackingValue(property, node.value);
    const plain = property.replace(/^-(?:webkit|moz)-/, '');
    // A value with a variable is read too late for one before it to stand in.
    const isLate = property.startsWith('--') || generate(node.value).includes('var(');
    if (lacking.length === 0 || plain !== property) isGiven.add(plain);
    else if (isLate || !isGiven.has(property)) found.push(...lacking);
  }
  return found;
}

function lackingValue(property: string, value: CssNode): Finding[] {
  const found: Finding[] = [];
  const note = (name: string, feature: Feature) => {
    const lacking = lackingIn(feature);
    if (lacking.length > 0) found.push({ name, lacking });
  };
  const own = properties[property] as Group | undefined;
  note(property, own as Feature);
  if (own) for (const word of generate(value).split(/[\s,/]+/)) note(`${property}: ${word}`, own[word]);
  walk(value, (node) => {
    if (node.type === 'Function') {
      note(`${node.name}()`, FUNCTIONS.get(node.name));
      const first = node.children.first;
      if (first?.type === 'Identifier' && first.name === 'from')
        note(`${node.name}(from)`, ((types.color as Group)[node.name] as Group | undefined)?.relative_syntax);
    }
    const unit = node.type === 'Dimension' ? /^([dsl])v[a-z]+$/.exec(node.unit) : null;
    if (unit) note(node.type === 'Dimension' ? node.unit : '', (types.length as Group)[UNITS[unit[1] ?? ''] ?? '']);
  });
  return found;
}
