#!/usr/bin/env node
// `refill` of a shop that depends on this package: the operator's command, in the folder it is called from.
import { fileURLToPath } from 'node:url';
import { runFile } from './run-file.mjs';

await runFile(fileURLToPath(new URL('../cli/main.ts', import.meta.url)), process.argv.slice(2));
