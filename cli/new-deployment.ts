// The deployment files of a new shop: those of deploy/, with the shop's own names in the places where they differ.
// There is no second copy of them to keep up to date; a place that is not there any more is an error of the product's.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';

const source = resolve(import.meta.dirname, '..', 'deploy');

/**
 * Of one shop. What is the same for every shop (image, Kubernetes, pooler, dashboards, alerts) stays with the program.
 */
const PARTS = [
  'compose.yaml',
  'refill.env.example',
  'owner.env.example',
  'systemd',
  'nginx',
  'haproxy',
  'caddy',
  'postgres',
];

type DeployedShop = {
  readonly name: string;
  readonly brand: string;
  /** Part of a setting's name. */
  readonly GAME: string;
  /** From the shop's folder to the program's. */
  readonly refill: string;
};

/** Each place occurs in one file at least. */
function changesOf({ name, brand, GAME, refill }: DeployedShop): [from: string, to: string][] {
  return [
    ['name: refill\n', `name: ${brand}\n`],
    ['context: ..,', `context: ../${refill},`],
    [
      '`.env` with SHOP (your folder of brands, games and channels), SUPERUSER_PASSWORD',
      '`.env` with SUPERUSER_PASSWORD',
    ],
    ['${SHOP:?your folder of brands, games and channels}/', '../'],
    ['REFILL_GAME_STARLANE_', `REFILL_GAME_${GAME}_`],
    ['https://game.publisher.example/refill', `https://shop-api.${brand}.example/v1`],
    ['/srv/my-shop', `/srv/${brand}`],
    ['Description=Refill,', `Description=${name},`],
    ['/etc/refill/', `/etc/${brand}/`],
    ['/var/backups/refill', `/var/backups/${brand}`],
    ['StateDirectory=refill\n', `StateDirectory=${brand}\n`],
    ['=/var/lib/refill/callbacks', `=/var/lib/${brand}/callbacks`],
    [' in /var/lib/refill', ` in /var/lib/${brand}`],
    ['/var/log/nginx/refill.log', `/var/log/nginx/${brand}.log`],
    ['/var/log/nginx/refill-error.log', `/var/log/nginx/${brand}-error.log`],
    ['/var/cache/refill-nginx', `/var/cache/${brand}-nginx`],
    ['conf.d/refill.conf', `conf.d/${brand}.conf`],
    ['refill-web@', `${brand}-web@`],
    ['refill-backup.timer', `${brand}-backup.timer`],
    ['pay.example.com', `pay.${brand}.example`],
  ];
}

/** @returns text by path in the shop's folder */
export async function readDeployment(shop: DeployedShop): Promise<Map<string, string>> {
  const changes = changesOf(shop);
  const unused = new Set(changes.map(([from]) => from));
  const files = new Map<string, string>();
  for (const path of await listParts()) {
    let text = await readFile(path, 'utf8');
    for (const [from, to] of changes) {
      if (!text.includes(from)) continue;
      unused.delete(from);
      text = text.replaceAll(from, to);
    }
    const at = relative(source, path);
    files.set(join('deploy', dirname(at), basename(at).replace(/^refill(?=-|\.conf$)/, shop.brand)), text);
  }
  const [missing] = unused;
  if (missing !== undefined) throw new Error(`no file of deploy/ has "${missing.trim()}" any more`);
  return files;
}

async function listParts(): Promise<string[]> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => PARTS.includes(relative(source, path).split(/[\\/]/, 1)[0] ?? '')).toSorted();
}
