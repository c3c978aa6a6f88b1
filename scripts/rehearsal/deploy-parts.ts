// The programs around a shop, each started with its file of deploy/, in which only ports and paths are others.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { projectRoot } from '#scripts/run-tool.ts';
import { runProgram } from './processes.ts';

export type Place = {
  readonly folder: string;
  readonly host: string;
  /** Ports of the two replicas, as deploy/ has 8081 and 8082. */
  readonly replicas: readonly [number, number];
};

const read = (path: string): Promise<string> => readFile(join(projectRoot, 'deploy', path), 'utf8');

/** Every pair has to be in the text, or the file has changed and this rehearses nothing. */
export function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((done, [from, to]) => {
    if (!done.includes(from)) throw new Error(`the file of deploy/ has no "${from}" any more`);
    return done.replaceAll(from, to);
  }, text);
}

export async function writeCertificate({ folder, host }: Place): Promise<string> {
  const made = await generate([{ name: 'commonName', value: host }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
  });
  await mkdir(join(folder, 'tls'));
  await writeFile(join(folder, 'tls', 'shop.pem'), `${made.cert}\n${made.private}\n`);
  await writeFile(join(folder, 'tls', 'shop.key'), made.private);
  return made.cert;
}

export const NGINX_CACHE = '/var/cache/refill-nginx';

const isRoot = (): boolean => process.getuid?.() === 0;

const HAPROXY_IPV6 = '    bind :::443 v6only ssl crt /etc/refill/tls/shop.pem alpn h2,http/1.1\n';

/** @returns the file that HAProxy starts with */
export async function writeHaproxy(place: Place, plain: number, tls: number): Promise<string> {
  const text = replaceAll(await read('haproxy/haproxy.cfg'), [
    ['    bind :::80 v6only\n', ''],
    [HAPROXY_IPV6, ''],
    ['bind :80', `bind 127.0.0.1:${plain}`],
    ['bind :443', `bind 127.0.0.1:${tls}`],
    ['/etc/refill/tls', join(place.folder, 'tls')],
    ['127.0.0.1:8081', `127.0.0.1:${place.replicas[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${place.replicas[1]}`],
    // Others than root may change neither account nor root: as in a container.
    ...(isRoot() ? [] : [['!defined(WEB_1)', 'defined(WEB_1)'] as const]),
  ]);
  const file = join(place.folder, 'haproxy.cfg');
  await writeFile(file, text);
  return file;
}

/** @returns the file that nginx starts with: ours inside the frame that every distribution has */
export async function writeNginx(place: Place, plain: number, tls: number): Promise<string> {
  const { folder } = place;
  const text = replaceAll(await read('nginx/refill.conf'), [
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ssl', `listen 127.0.0.1:${tls} ssl`],
    ['pay.example.com', place.host],
    ['/etc/refill/tls', join(folder, 'tls')],
    // Root's nginx makes the folder where it is meant to be, or the file is wrong.
    ...(isRoot() ? [] : [[NGINX_CACHE, join(folder, 'nginx-cache')] as const]),
    ['/var/log/nginx', folder],
    ['127.0.0.1:8081', `127.0.0.1:${place.replicas[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${place.replicas[1]}`],
  ]);
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, `nginx-${name}`)};`,
  );
  await writeFile(
    file,
    `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; worker_processes 1;
events { worker_connections 1024; }
http { ${temporary.join(' ')}
${text}
}
`,
  );
  return file;
}

/** @returns the file that Caddy starts with */
export async function writeCaddy(place: Place, plain: number, tls: number): Promise<string> {
  const { folder } = place;
  const own = `tls ${join(folder, 'tls', 'shop.pem')} ${join(folder, 'tls', 'shop.key')}`;
  const text = replaceAll(await read('caddy/Caddyfile'), [
    [
      '{\n\t# Every line',
      `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${plain}\n\thttps_port ${tls}\n\t# Every line`,
    ],
    ['pay.example.com {\n', `${place.host} {\n\t${own}\n`],
    ['127.0.0.1:8081', `127.0.0.1:${place.replicas[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${place.replicas[1]}`],
  ]);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, text);
  return file;
}

export type Pgbouncer = { readonly file: string; readonly preparesStatements: boolean };

/** Returns true when this machine's PgBouncer keeps prepared statements in transaction mode: from 1.21 on. */
export async function keepsPreparedStatements(): Promise<boolean> {
  const { said } = await runProgram(['pgbouncer', '--version']);
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(said) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

export async function writePgbouncer(
  folder: string,
  port: number,
  database: URL,
  userlist: string,
): Promise<Pgbouncer> {
  const preparesStatements = await keepsPreparedStatements();
  const text = replaceAll(await read('pgbouncer/pgbouncer.ini'), [
    ['refill = host=127.0.0.1 port=5432', `refill = host=${database.hostname} port=${database.port}`],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer', folder],
    // As the file says of older ones.
    ...(preparesStatements ? [] : [['max_prepared_statements = 200\n', ''] as const]),
  ]);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${text}\nunix_socket_dir =\n`);
  await writeFile(join(folder, 'userlist.txt'), `${userlist}\n`);
  return { file, preparesStatements };
}

/** Units as systemd reads them, with the place of this checkout. @returns what it has to say against them */
export async function verifyUnits(folder: string): Promise<string> {
  const units = ['refill-web@.service', 'refill-worker.service', 'refill-backup.service', 'refill-backup.timer'];
  const target = join(folder, 'units');
  await mkdir(target);
  for (const unit of units) {
    const text = (await read(`systemd/${unit}`)).replaceAll('/opt/refill', projectRoot);
    await writeFile(join(target, unit), text.replace(/^(?:User|Group)=refill\n/gm, ''));
  }
  const { said } = await runProgram([
    'systemd-analyze',
    'verify',
    '--man=no',
    ...units.map((unit) => join(target, unit.replace('@.', '@8081.'))),
  ]);
  // Faults of other units of this machine are none of ours.
  return said
    .split('\n')
    .filter((line) => line.includes('refill'))
    .join('\n');
}

/** For programs that leave root behind. */
export async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
}
