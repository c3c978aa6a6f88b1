// Reads the note that `npm start` leaves in its data folder while it runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateData } from '#server/platform/settings/shop-folder.ts';
import type { Terminal } from './terminal.ts';

/** PORT, else the port of the shop that runs from this data folder, else the usual one. */
export function portOfShop({ environment }: Pick<Terminal, 'environment'>): string {
  return environment['PORT'] ?? String(runningPort(join(locateData(environment), 'run.json')) ?? 8080);
}

function runningPort(file: string): number | null {
  try {
    const { port } = JSON.parse(readFileSync(file, 'utf8')) as { port?: unknown };
    return typeof port === 'number' ? port : null;
  } catch {
    // Nothing runs from this folder, or the file was cut short by a kill.
    return null;
  }
}
