#!/usr/bin/env node
// node scripts/run.mjs <file.ts> [args]; `refill-run` in a shop that depends on this package.
import { runFile } from './run-file.mjs';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Usage: node scripts/run.mjs <file.ts> [arguments]\n');
  process.exit(1);
}
await runFile(file, args);
