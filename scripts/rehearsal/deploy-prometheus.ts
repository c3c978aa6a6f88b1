// A real Prometheus with the files of deploy/prometheus: it asks the shop's worker, and evaluates every alert rule.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import type { Defer } from './deploy-shop.ts';
import { runProgram, startProgram, waitFor } from './processes.ts';

const FILES = join(projectRoot, 'deploy/prometheus');

type Rule = { name: string; health: string; lastError?: string };
type Seen = { readonly tests: string; readonly series: number; readonly rules: readonly Rule[] };

/**
 * @param operatorPort of a process of the shop, on this machine
 * @returns what promtool said of the rules' own tests, how many series of the shop came, and each rule as evaluated
 * @throws when Prometheus does not take the files, or the shop does not answer it
 */
export async function lookWithPrometheus(folder: string, operatorPort: number, defer: Defer): Promise<Seen> {
  const place = join(folder, 'prometheus');
  await cp(FILES, place, { recursive: true });
  const tests = await runProgram(['promtool', 'test', 'rules', join(place, 'refill-alerts.test.yml')]);
  if (tests.code !== 0) throw new Error(tests.said);

  const file = join(place, 'prometheus.yml');
  await writeFile(join(place, 'token'), 'on loopback none is asked for');
  const text = (await readFile(file, 'utf8'))
    .replaceAll('30s', '1s')
    .replace('/etc/prometheus/refill.token', join(place, 'token'))
    .replace(/targets: .*/, `targets: ['127.0.0.1:${operatorPort}']`);
  await writeFile(file, text);
  const checked = await runProgram(['promtool', 'check', 'config', file]);
  if (checked.code !== 0) throw new Error(checked.said);

  const port = await findQuietPort();
  const data = `--storage.tsdb.path=${join(place, 'data')}`;
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  const program = startProgram('prometheus', ['prometheus', `--config.file=${file}`, data, listen], {});
  defer(program.stop);
  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = await request(`http://127.0.0.1:${port}/api/v1/${path}`);
    return ((await answer.body.json()) as { data: Data }).data;
  };
  const count = async (query: string): Promise<number> => {
    const { result } = await ask<{ result: { value: [number, string] }[] }>(`query?query=${encodeURIComponent(query)}`);
    return Number(result[0]?.value[1] ?? 0);
  };
  await waitFor('an answer of the shop', async () => (await count('up{job="refill"} == 1')) === 1, program);
  const listRules = async (): Promise<Rule[]> =>
    (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap(({ rules }) => rules);
  await waitFor('every rule', async () => (await listRules()).every(({ health }) => health !== 'unknown'), program);
  return {
    tests: tests.said.trim().split('\n').at(-1)?.trim() ?? '',
    series: await count('count({__name__=~"refill_.+"})'),
    rules: await listRules(),
  };
}
