// Tests deploy/ without the programs that read it: names of settings and commands, and parts that belong together.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { listCalls } from '#scripts/reference/documents.ts';
import { projectRoot } from '#scripts/run-tool.ts';

const folder = join(projectRoot, 'deploy');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** Settings of the image's builder and of compose itself, no process of the shop reads them. */
const OTHERS = ['REFILL_VERSION'];

type Service = {
  environment?: Record<string, string>;
  cap_drop?: string[];
  depends_on?: object;
  env_file?: string;
  ports?: string[];
  read_only?: boolean;
  volumes?: string[];
};
const services = parse(read('compose.yaml'), { merge: true }).services as Record<string, Service>;

test('every setting that a file of deploy/ names is one', () => {
  const known = readFileSync(join(projectRoot, 'docs/settings.md'), 'utf8');
  const named = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bREFILL_[A-Z_]*[A-Z]\b/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  const unknown = named.filter(
    (name) => !OTHERS.includes(name) && !/_LIVE_/.test(name) && !known.includes(`\`${name}\``),
  );
  expect(unknown).toEqual([]);
});

type Manifest = {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: Record<string, unknown> & { matchLabels?: object };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    template: { metadata: { labels: object }; spec: PodSpec };
    jobTemplate: { spec: { template: { spec: PodSpec } } };
  };
};
type PodSpec = {
  automountServiceAccountToken?: boolean;
  volumes: { name: string; emptyDir?: object }[];
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: {
    args: string[];
    securityContext: object;
    readinessProbe?: object;
    livenessProbe?: object;
    volumeMounts: { name: string; mountPath: string }[];
  }[];
};

const manifests = readdirSync(join(folder, 'kubernetes'))
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseAllDocuments(read(`kubernetes/${name}`)))
  .map((document) => document.toJS() as Manifest);
const find = (kind: string) => manifests.filter((one) => one.kind === kind);
const running = [...find('Deployment'), ...find('StatefulSet')];

test('pods run without rights, with probes and time to end; budgets and services choose pods that are there', () => {
  const stopNotice = Number(/^REFILL_STOP_NOTICE=(\d+)$/m.exec(read('kubernetes/settings.env'))?.[1]);
  const labels = running.map(({ spec }) => spec.template.metadata.labels);
  expect(labels).toHaveLength(2);
  for (const { spec } of running) {
    const pod = spec.template.spec;
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    // Told to end, it announces that, and then has 12 s for what is under way.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(stopNotice + 12);
    expect(pod.containers[0]).toMatchObject({ readinessProbe: {}, livenessProbe: {} });
  }
  for (const { spec } of find('PodDisruptionBudget')) expect(labels).toContainEqual(spec.selector.matchLabels);
  // One has nothing behind it: what nobody outside may ask is led there.
  const chosen = find('Service').filter(({ metadata }) => metadata.name !== 'refill-nothing');
  for (const { spec } of chosen) expect(labels).toContainEqual(spec.selector);
  const pods = [
    ...[...running, ...find('Job')].map(({ spec }) => spec.template.spec),
    ...find('CronJob').map(({ spec }) => spec.jobTemplate.spec.template.spec),
  ];
  expect(pods).toHaveLength(4);
  for (const pod of pods) {
    // Nothing in a pod speaks to the cluster.
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
});

test('a worker notes who was erased on a volume that outlives its pod', () => {
  const [worker] = find('StatefulSet');
  const record = worker?.spec.template.spec.containers[0]?.volumeMounts.find(
    ({ mountPath }) => mountPath === '/var/lib/refill',
  );
  expect(worker?.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toContain(record?.name);
  const unit = read('systemd/refill-worker.service');
  expect(unit).toMatch(/^StateDirectory=refill$/m);
  expect(unit).toMatch(/^Environment=REFILL_CALLBACK_RECORD=\/var\/lib\/refill\/callbacks$/m);
  for (const name of ['worker', 'web-1', 'web-2']) {
    expect(services[name]?.volumes).toContain('callbacks:/var/lib/refill');
    expect(services[name]?.environment).toMatchObject({ REFILL_CALLBACK_RECORD: '/var/lib/refill/callbacks' });
  }
});

test('every process has an operator port of its own, which Prometheus asks, and a token for it', () => {
  const web = read('systemd/refill-web@.service');
  // Of Environment= and EnvironmentFile= the file would win.
  expect(web).toMatch(/^ExecStart=\/usr\/bin\/env PORT=%i REFILL_OPERATOR_PORT=1%i /m);
  expect(read('systemd/refill-worker.service')).toContain(' REFILL_OPERATOR_PORT=9090\n');
  const targets = ['127.0.0.1:18081', '127.0.0.1:18082', '127.0.0.1:9090'];
  expect(read('prometheus/prometheus.yml')).toContain(`targets: [${targets.map((one) => `'${one}'`).join(', ')}]`);
  const published = ['web-1', 'web-2', 'worker'].flatMap((name) => services[name]?.ports ?? []);
  expect(published).toEqual(targets.map((target) => `${target}:9090`));
  for (const path of ['refill.env.example', 'kubernetes/secrets.env.example'])
    for (const name of ['REFILL_OPERATOR_TOKEN', 'REFILL_KEY_SECRETS'])
      expect([path, new RegExp(`^${name}=$`, 'm').test(read(path))]).toEqual([path, true]);
  const guide = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8');
  expect(/The least of a live shop:\n\n```sh\n([^`]*)```/.exec(guide)?.[1]).toMatch(/^REFILL_KEY_SECRETS/m);
});

test('documents name the files of settings that the units read, and give commands that need the owner its account', () => {
  const guides = ['docs/operating.md', 'docs/production.md', 'docs/runbook.md', 'docs/walks/operator.md'];
  const pages = guides.map((page) => readFileSync(join(projectRoot, page), 'utf8'));
  const unit = /^EnvironmentFile=(.+)$/m.exec(read('systemd/refill-worker.service'))?.[1];
  const named = pages.flatMap((page) => page.match(/\/etc\/\S*?\.env\b/g) ?? []);
  const others = ['/etc/refill/owner.env', '/etc/my-shop/refill.env', '/etc/my-shop/owner.env'];
  expect(new Set(named).difference(new Set([unit, ...others]))).toEqual(new Set());
  expect(read('owner.env.example')).toMatch(/^DATABASE_URL='postgres:\/\/refill_owner:/m);
  expect(read('refill.env.example')).toMatch(/^DATABASE_URL='postgres:\/\/refill_app:/m);
  // The walk has one account, which owns all of it.
  const calls = guides.slice(0, 3).flatMap((page, index) => listCalls(page, pages[index]!));
  const asOwner = calls.filter(({ words }) => ['apply', 'rollback', 'restore'].includes(words[0]!));
  expect(asOwner.length).toBeGreaterThan(2);
  for (const { page, line } of asOwner)
    expect(pages[guides.indexOf(page)]!.split('\n')[line - 1]).toMatch(/owner\.env|refill_owner/);
});

test('no file with a secret that is put into a checkout gets into git or the image', () => {
  const [kustomization] = find('Kustomization') as unknown as { secretGenerator: { envs: string[] }[] }[];
  const secret = [
    '.env',
    'deploy/.env',
    `deploy/${services['worker']?.env_file}`,
    'deploy/owner.env',
    ...['shop.pem', 'shop.key'].map((name) => `deploy/tls/${name}`),
    ...(kustomization?.secretGenerator ?? []).flatMap(({ envs }) => envs.map((env) => `deploy/kubernetes/${env}`)),
  ];
  expect(secret).toContain('deploy/kubernetes/owner.env');
  const patterns = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
  for (const path of secret) {
    expect([path, leavesOut(patterns, path)]).toEqual([path, true]);
    // Also where the rules of a machine's own git would do it.
    const { status } = spawnSync('git', ['-c', 'core.excludesFile=', 'check-ignore', '-q', '--no-index', path], {
      cwd: projectRoot,
    });
    expect([path, status]).toEqual([path, 0]);
  }
  const needed = [
    'deploy/kubernetes/settings.env',
    'deploy/refill.env.example',
    'package.json',
    'brands/watt/brand.yaml',
  ];
  for (const path of needed) expect([path, leavesOut(patterns, path)]).toEqual([path, false]);
});

/** As the builder of images reads its list: the last rule that names a file, or a folder above it, decides. */
function leavesOut(patterns: readonly string[], path: string): boolean {
  let isOut = false;
  for (const line of patterns.map((one) => one.trim()).filter((one) => one !== '' && !one.startsWith('#'))) {
    const [pattern, isBack] = line.startsWith('!') ? [line.slice(1), true] : [line, false];
    for (let at = path; at !== '.'; at = dirname(at)) if (matchesGlob(at, pattern)) isOut = !isBack;
  }
  return isOut;
}

test('pods are called by the Ingress controller and Prometheus alone, and their proxy is no whole network', () => {
  const policies = find('NetworkPolicy') as unknown as { spec: { podSelector: object; policyTypes: string[] } }[];
  expect(policies[0]?.spec).toMatchObject({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  const trusted = /^REFILL_TRUSTED_PROXIES=[\d.]+\/(\d+)$/m.exec(read('kubernetes/settings.env'))?.[1];
  expect(Number(trusted)).toBeGreaterThanOrEqual(16);
});

test('what the Job of a release needs is brought in before pods, by its label', () => {
  const [kustomization] = find('Kustomization') as unknown as { generatorOptions: { labels: object } }[];
  expect(kustomization?.generatorOptions.labels).toEqual({ release: 'before' });
  for (const kind of ['Namespace', 'Job'])
    for (const one of find(kind)) expect(one.metadata).toMatchObject({ labels: { release: 'before' } });
});

test('kustomize names every file, and its image is what the pods run', () => {
  const [kustomization] = find('Kustomization') as unknown as { resources: string[]; images: { name: string }[] }[];
  const names = readdirSync(join(folder, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  expect(kustomization?.resources.toSorted()).toEqual(names.filter((name) => name !== 'kustomization.yaml').toSorted());
  expect(kustomization?.images.map(({ name }) => name)).toEqual(['refill']);
});

test('compose: each service is bounded in memory, processes, logs and rights', () => {
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['database', 'proxy', 'backup', 'apply']));
  for (const [name, service] of Object.entries(services)) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/\d[mg]\}?$/),
        pids_limit: expect.any(Number),
        logging: { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '10' } },
      }),
    ]);
  }
  const writable = Object.keys(services).filter((name) => services[name]?.read_only !== true);
  // PostgreSQL writes where its image says.
  expect(writable).toEqual(['database']);
});

test("compose: nothing of the shop's folder but what a shop is made of is in a container", () => {
  const parts = ['brands', 'games', 'channels', 'messages'];
  for (const name of ['web-1', 'web-2', 'worker', 'apply', 'backup']) {
    const mounted = (services[name]?.volumes ?? []).filter((one) => one.includes('SHOP'));
    expect(mounted.map((one) => one.split('}')[1])).toEqual(parts.map((part) => `/${part}:/shop/${part}:ro`));
  }
});

test("compose: services wait for the tables, and none of the shop's runs with rights or as the owner", () => {
  for (const name of ['web-1', 'web-2', 'worker']) {
    expect(services[name]?.environment?.['DATABASE_URL']).toContain('//refill_app:');
    expect(services[name]?.cap_drop).toEqual(['ALL']);
    expect(services[name]?.depends_on).toEqual({ apply: { condition: 'service_completed_successfully' } });
  }
  expect(services['apply']?.environment?.['DATABASE_URL']).toContain('//refill_owner:');
});

test('every command of a unit, manifest or the image is one of refill', () => {
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const commands = texts.flatMap((text) => [
    ...[...text.matchAll(/cli\/main\.ts ([a-z]+)/g)].map(([, word]) => word),
    ...[...text.matchAll(/^\s*(?:args|command): \[([a-z]+)[,\]]/gm)].map(([, word]) => word),
  ]);
  expect(commands.length).toBeGreaterThan(8);
  expect(new Set(commands)).toEqual(new Set(['serve', 'apply', 'backup']));
});

test('units and image give a server the settings of memory that `npm start` gives it', () => {
  const { flags, environment } = JSON.parse(readFileSync(join(projectRoot, 'scripts/server-memory.json'), 'utf8')) as {
    flags: string[];
    environment: Record<string, string>;
  };
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  for (const unit of ['systemd/refill-web@.service', 'systemd/refill-worker.service']) {
    const text = read(unit);
    expect([unit, text]).toEqual([unit, expect.stringContaining(`/bin/node ${flags.join(' ')} cli/main.ts serve`)]);
    for (const setting of settings) expect(/^Environment=NODE_ENV=.*$/m.exec(text)?.[0].split(' ')).toContain(setting);
  }
  const image = read('Containerfile');
  expect(image).toContain(
    `"node_modules/node/bin/node", ${flags.map((flag) => `"${flag}"`).join(', ')}, "cli/main.ts"`,
  );
  for (const setting of settings) expect(/^ENV NODE_ENV=.*$/m.exec(image)?.[0].split(' ')).toContain(setting);
});
