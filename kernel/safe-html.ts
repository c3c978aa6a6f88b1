// A few elements of HTML, read into a tree that has room for nothing else: what an operator writes in a
// file is shown with emphasis, lists and links, and no text ever becomes mark-up by itself.

export const SAFE_TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'small', 'h3', 'ul', 'ol', 'li', 'a'] as const;
export type SafeTag = (typeof SAFE_TAGS)[number];

export type SafeNode =
  | string
  | { tag: SafeTag; /** Of a link: https or mailto. */ href?: string; children: SafeNode[] };

const isSafeTag = (name: string): name is SafeTag => (SAFE_TAGS as readonly string[]).includes(name);

/** Our choice: deeper than any text goes. */
const DEEPEST = 20;

/** Their content is no text: it goes with them. */
const OPAQUE = /<(script|style|template|iframe|svg|math|noscript)\b[^>]*(?:>|$)[\s\S]*?(?:<\/\1\s*>|$)/gi;

const TOKEN = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;

/** Text with elements -> a tree. Other elements lose their tags and keep their text; other attributes are dropped. */
export function parseSafeHtml(html: string): SafeNode[] {
  const root: SafeNode[] = [];
  const open: { tag: SafeTag; children: SafeNode[] }[] = [];
  const here = () => open.at(-1)?.children ?? root;
  const text = html.replace(OPAQUE, '');
  let end = 0;
  const addText = (part: string) => part !== '' && here().push(decode(part));
  for (const match of text.matchAll(TOKEN)) {
    addText(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, slash, name = '', attributes = ''] = match;
    const tag = name.toLowerCase();
    if (!isSafeTag(tag)) continue;
    if (slash) {
      const at = open.findLastIndex((one) => one.tag === tag);
      if (at >= 0) open.length = at;
      continue;
    }
    const href = tag === 'a' ? readHref(attributes) : null;
    const node = { tag, ...(href === null ? {} : { href }), children: [] };
    here().push(node);
    if (tag !== 'br' && open.length < DEEPEST) open.push(node);
  }
  addText(text.slice(end));
  return root;
}

/**
 * Lists the parts of a text that would be lost, for whoever writes it: "<script>", "onclick of <a>". Empty: nothing.
 */
export function listUnsafeHtml(html: string): string[] {
  const found = new Set<string>();
  for (const [, , name = '', attributes = ''] of html.matchAll(TOKEN)) {
    const tag = name.toLowerCase();
    if (tag === '') continue;
    if (!isSafeTag(tag)) found.add(`<${tag}>`);
    const names = [...attributes.matchAll(/([^\s=/"']+)\s*(?:=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))?/g)].map((one) =>
      (one[1] ?? '').toLowerCase(),
    );
    for (const attribute of names) {
      if (tag === 'a' && attribute === 'href') continue;
      found.add(`${attribute} of <${tag}>`);
    }
    if (tag === 'a' && names.includes('href') && readHref(attributes) === null)
      found.add('a link that is neither https nor mailto');
  }
  return [...found];
}

function readHref(attributes: string): string | null {
  const found = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  const address = decode(found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
  return /^(?:https:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(address) ? address : null;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '\u00a9',
};

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
    },
  );
}
