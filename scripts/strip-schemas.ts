// A step of the storefront's build: the page keeps a route's path and kind, and a code's number;
// what only the server reads goes.
import type { Plugin } from 'vite';

/** Properties of a route that the page never looks at: its tests run without them (vitest.config.ts). */
const SERVER_ONLY = new Set(['summary', 'input', 'output']);

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Edit = { from: number; to: number; text: string };

/** Properties of an answer code that the page never looks at: it reads the number. @see contracts/errors.ts */
const CODE_KEYS = ['code', 'http', 'text'];

/**
 * Cuts schemas out of contracts/*.ts, and says of the calls that are left that nothing happens when nobody needs them.
 */
export function stripSchemas(): Plugin {
  return {
    name: 'refill:strip-schemas',
    // After the types have gone.
    enforce: 'post',
    transform: {
      filter: { id: /\/contracts\/[\w-]+\.ts$/ },
      handler(code) {
        const edits: Edit[] = [];
        visit(this.parse(code) as unknown as Node, edits);
        return { code: applyEdits(code, edits), map: null };
      },
    },
  };
}

function visit(node: Node, edits: Edit[]): void {
  // A function's body runs only when it is called, so it does not matter here.
  if (/Function/.test(node.type)) return;
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    edits.push({ from: node.start, to: node.start, text: '/* @__PURE__ */ ' });
    if (isRoute(node)) {
      cutProperties(node, edits);
      return;
    }
  }
  if (isCode(node)) cutLast(node, edits);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, edits);
  }
}

function isRoute(node: Node): boolean {
  return isNode(node.callee) && node.callee.type === 'Identifier' && node.callee.name === 'route';
}

function cutProperties(node: Node, edits: Edit[]): void {
  const [declaration] = node.arguments as Node[];
  for (const property of (declaration?.properties ?? []) as Node[]) {
    if (isNode(property.key) && SERVER_ONLY.has(String(property.key.name))) {
      edits.push({ from: property.start, to: property.end, text: `${String(property.key.name)}: 0` });
    }
  }
}

const keysOf = (node: Node) =>
  ((node.properties ?? []) as Node[]).map(({ key }) => (isNode(key) ? String(key.name) : ''));

function isCode(node: Node): boolean {
  return node.type === 'ObjectExpression' && keysOf(node).join() === CODE_KEYS.join();
}

/** Leaves the first property only. */
function cutLast(node: Node, edits: Edit[]): void {
  const [first, ...rest] = node.properties as Node[];
  const last = rest.at(-1);
  if (first && last) edits.push({ from: first.end, to: last.end, text: '' });
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function applyEdits(code: string, edits: Edit[]): string {
  let result = code;
  for (const { from, to, text } of edits.toSorted((a, b) => b.from - a.from)) {
    result = result.slice(0, from) + text + result.slice(to);
  }
  return result;
}
