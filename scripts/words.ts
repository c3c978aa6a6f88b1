// The words of docs/glossary.md against the names and comments of the code (`npm run check -- words`): one fault a
// line, with the word to say instead.
import { globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { projectRoot } from './run-tool.ts';
import { answerHelp } from './usage.ts';
import { createWords } from './words/find-words.ts';
import { readGlossary } from './words/glossary.ts';

const GLOSSARY = 'docs/glossary.md';
const FILES = [
  '**/*.{ts,tsx,mjs,cjs,sql,css}{,.template}',
  'cli/templates/provider/{conformance,provider,settings,simulator,wire}.template',
];
const FOREIGN: readonly string[] = ['node_modules', 'dist', 'generated', '.data', '.git'];
/**
 * Landed migrations never change, and schema.sql is made of files that are checked themselves. The fixtures hold
 * mistakes on purpose.
 */
const LEFT_OUT = ['migrations/', 'testing/fixtures/'];

/** Without git, so that it works in an unpacked archive as well. */
function listFiles(): string[] {
  const paths = globSync(FILES, { cwd: projectRoot, exclude: (path) => FOREIGN.includes(basename(path)) });
  return paths
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => !LEFT_OUT.some((left) => path.startsWith(left)))
    .toSorted();
}

answerHelp(`Usage: npm run check -- words

Refuses the words of the last column of ${GLOSSARY} in names and comments, and comments that begin with a question
word.`);
const glossary = readGlossary(readFileSync(join(projectRoot, GLOSSARY), 'utf8'));
const words = createWords(glossary);
const faults = listFiles().flatMap((path) => words.find(path, readFileSync(join(projectRoot, path), 'utf8')));
const unused = glossary.kept.filter(({ name }) => !words.kept.has(name));
faults.push(...unused.map(({ name }) => `${GLOSSARY}: ${name} stays in no file any more: remove its row`));
for (const fault of faults) console.error(fault);
if (faults.length > 0) console.error(`${faults.length} words to change; ${GLOSSARY} says which to use.`);
process.exitCode = faults.length > 0 ? 1 : 0;
