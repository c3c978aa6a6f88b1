// The bill of materials of a release, for the scanners of operators (SECURITY.md): CycloneDX, by npm.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setOfEntry } from '#scripts/package-sets.mjs';

type Lock = { packages: Record<string, { dev?: boolean; peer?: boolean; devDependencies?: object }> };

/**
 * Names the packages of a server and of the storefront: what a release brings into production.
 * @param root of a checkout; only its lockfile is read
 */
export async function makeBill(root: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'refill-bill-'));
  try {
    // npm names the program by its folder.
    const folder = join(scratch, 'refill');
    await mkdir(folder);
    const { devDependencies: _, ...manifest } = await readJson<{ devDependencies?: object }>(root, 'package.json');
    const lock = await readJson<Lock>(root, 'package-lock.json');
    // `npm sbom --omit=dev` also leaves out what a server shares with tests (npm 11.19), so tests are cut out before.
    lock.packages = Object.fromEntries(
      Object.entries(lock.packages).filter(([, entry]) => setOfEntry(entry) !== 'tests'),
    );
    delete lock.packages['']?.devDependencies;
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const asked = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
    const options = { cwd: folder, maxBuffer: 64 << 20, shell: process.platform === 'win32' };
    const { stdout } = await promisify(execFile)('npm', asked, options);
    return stdout;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const readJson = async <Content>(root: string, file: string): Promise<Content> =>
  JSON.parse(await readFile(join(root, file), 'utf8')) as Content;
