// One temporary folder for a whole run: whatever a test leaves behind is gone with it.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'refill-tests-'));
  // Passable, for PostgreSQL runs as an account of its own when the tests run as root.
  await chmod(folder, 0o711);
  // os.tmpdir() reads these, here and in the workers: the first on Linux and macOS, the others on Windows.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
