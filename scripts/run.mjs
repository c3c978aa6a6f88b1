// node scripts/run.mjs <file.ts> [args]
import { runFile } from './run-file.mjs';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Usage: node scripts/run.mjs <file.ts> [arguments]\n');
  process.exit(1);
}
await runFile(file, args);
