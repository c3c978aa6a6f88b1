// Reads the identifiers and comments of a TypeScript or SQL file, without parsing it: a whole tree has to take seconds.

/** `line` counts from 1. `comments` joins `//` or `--` lines that follow each other at one indent. */
export type Scanned = {
  readonly identifiers: readonly Found[];
  readonly comments: readonly Found[];
};
export type Found = { readonly text: string; readonly line: number };

const SQL_TOKENS = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"[^"\n]*"|\$\w*\$|[A-Za-z_]\w*|\n/g;
const SCRIPT_TOKENS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\[^])*'?|"(?:[^"\\\n]|\\[^])*"?|[A-Za-z_$][\w$]*|\d[\w.]*|[^\s]|\n/g;
/** A slash after one of these begins a regular expression, after anything else it divides or closes a tag. */
const BEFORE_PATTERN = /^(?:[(,=:[!&|?{};+\-*%~^>]|return|typeof|case|of|in|do|else|await|yield)$/;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{|$)/y;

/** Of a style sheet only the comments count: its names are the browser's. */
export function scanFile(path: string, text: string): Scanned {
  if (path.endsWith('.sql')) return scanSql(text);
  return path.endsWith('.css') ? { identifiers: [], comments: scanStyles(text) } : scanScript(text);
}

function scanStyles(text: string): Found[] {
  const sink = createSink(text, '//');
  for (const match of text.matchAll(/\/\*[^]*?\*\/|\n/g)) sink.take(match[0], match.index);
  return [...sink.end().comments];
}

function scanSql(text: string): Scanned {
  const sink = createSink(text, '--');
  for (const match of text.matchAll(SQL_TOKENS)) sink.take(match[0], match.index);
  return sink.end();
}

function scanScript(text: string): Scanned {
  const sink = createSink(text, '//');
  const tokens = new RegExp(SCRIPT_TOKENS);
  /** Braces that are open inside each `${` of a template that is not at its end. */
  const templates: number[] = [];
  let before = ';';
  const skip = (rule: RegExp, from: number) => {
    rule.lastIndex = from;
    const [part = ''] = rule.exec(text) ?? [];
    sink.pass(part);
    tokens.lastIndex = from + part.length;
    return part;
  };
  const goOnInTemplate = (from: number) => {
    if (skip(TEMPLATE_PART, from).endsWith('${')) templates.push(0);
  };
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    const isOutside = templates.length === 0;
    const depth = templates.at(-1) ?? 0;
    if (token === '`') goOnInTemplate(tokens.lastIndex);
    else if (token === '}' && !isOutside && depth === 0) {
      templates.pop();
      goOnInTemplate(tokens.lastIndex);
    } else if (token === '/' && BEFORE_PATTERN.test(before) && text[tokens.lastIndex] !== '>')
      if (skip(PATTERN, match.index) === '') tokens.lastIndex = match.index + 1;
      else sink.take(token, match.index);
    else {
      if (token === '{' && !isOutside) templates[templates.length - 1] = depth + 1;
      if (token === '}' && !isOutside) templates[templates.length - 1] = depth - 1;
      sink.take(token, match.index);
    }
    if (token !== '\n' && !token.startsWith('//') && !token.startsWith('/*')) before = token;
  }
  return sink.end();
}

function createSink(text: string, mark: '//' | '--') {
  const identifiers: Found[] = [];
  const comments: { text: string; line: number }[] = [];
  let line = 1;
  /** The line and indent of the newest comment of one line, which the next one may continue. */
  let newest = { line: 0, indent: -1 };
  const pass = (part: string) => {
    for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) line += 1;
  };
  return {
    pass,
    take(token: string, index: number): void {
      if (token === '\n') line += 1;
      else if (token.startsWith(mark)) {
        const start = text.lastIndexOf('\n', index) + 1;
        const isAlone = text.slice(start, index).trim() === '';
        const words = token.slice(2).trim();
        const last = comments.at(-1);
        const indent = isAlone ? index - start : -1;
        if (last && isAlone && newest.line === line - 1 && newest.indent === indent) last.text += ` ${words}`;
        else comments.push({ text: words, line });
        newest = { line, indent };
      } else if (token.startsWith('/*')) {
        const words = token.slice(2, -2).replaceAll(/^\*|\n\s*\*?/g, ' ');
        comments.push({ text: words.trim(), line });
        pass(token);
      } else if (/^[A-Za-z_$]/.test(token) && !token.startsWith('$')) identifiers.push({ text: token, line });
      else pass(token);
    },
    end: (): Scanned => ({ identifiers, comments }),
  };
}
