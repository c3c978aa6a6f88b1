// What can be told of deploy/ without the programs that read it: names of settings and commands, what belongs together.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { projectRoot } from '#scripts/run-tool.ts';

const folder = join(projectRoot, 'deploy');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** Settings of the image's builder and of compose itself, no process of the shop reads them. */
const OTHERS = ['REFILL_VERSION'];

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
    template: { metadata: { labels: object }; spec: PodSpec };
    jobTemplate: { spec: { template: { spec: PodSpec } } };
  };
};
type PodSpec = {
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: { args: string[]; securityContext: object; readinessProbe?: object; livenessProbe?: object }[];
};

const manifests = readdirSync(join(folder, 'kubernetes'))
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseAllDocuments(read(`kubernetes/${name}`)))
  .map((document) => document.toJS() as Manifest);
const find = (kind: string) => manifests.filter((one) => one.kind === kind);

test('pods run without rights, with probes and time to end; budgets and services choose pods that are there', () => {
  const stopNotice = Number(/^REFILL_STOP_NOTICE=(\d+)$/m.exec(read('kubernetes/settings.env'))?.[1]);
  const labels = find('Deployment').map(({ spec }) => spec.template.metadata.labels);
  expect(labels).toHaveLength(2);
  for (const { spec } of find('Deployment')) {
    const pod = spec.template.spec;
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    // Told to end, it announces that, and then has 12 s for what is under way.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(stopNotice + 12);
    expect(pod.containers[0]).toMatchObject({ readinessProbe: {}, livenessProbe: {} });
  }
  for (const { spec } of find('PodDisruptionBudget')) expect(labels).toContainEqual(spec.selector.matchLabels);
  for (const { spec } of find('Service')) expect(labels).toContainEqual(spec.selector);
  const pods = [
    ...[...find('Deployment'), ...find('Job')].map(({ spec }) => spec.template.spec),
    ...find('CronJob').map(({ spec }) => spec.jobTemplate.spec.template.spec),
  ];
  expect(pods).toHaveLength(4);
  for (const pod of pods) {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
});

test('kustomize names every file, and its image is what the pods run', () => {
  const [kustomization] = find('Kustomization') as unknown as { resources: string[]; images: { name: string }[] }[];
  const names = readdirSync(join(folder, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  expect(kustomization?.resources.toSorted()).toEqual(names.filter((name) => name !== 'kustomization.yaml').toSorted());
  expect(kustomization?.images.map(({ name }) => name)).toEqual(['refill']);
});

test("compose: services wait for the tables, and none of the shop's runs with rights or as the owner", () => {
  const services = parse(read('compose.yaml'), { merge: true }).services as Record<
    string,
    { environment?: Record<string, string>; cap_drop?: string[]; depends_on?: object }
  >;
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
