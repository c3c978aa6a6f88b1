// Tests the proxies of deploy/ by their text; `npm run rehearsal -- deploy` runs the programs themselves.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { LOGIN_NOTICE_PATH } from '#contracts/logins.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { BODY_LIMIT } from '#server/platform/http/http.ts';

const read = (path: string): string => readFileSync(join(projectRoot, 'deploy', path), 'utf8');
const nginx = read('nginx/refill.conf');
const haproxy = read('haproxy/haproxy.cfg');
const caddy = read('caddy/Caddyfile');

type Ingress = {
  kind: string;
  metadata: { name: string; annotations: Record<string, string> };
  spec: { rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[] };
};
const ingresses = parseAllDocuments(read('kubernetes/ingress.yaml'))
  .map((document) => document.toJS() as Ingress)
  .filter(({ kind }) => kind === 'Ingress')
  .map(({ metadata, spec }) => ({
    name: metadata.name,
    limits: Object.keys(metadata.annotations).filter((name) => /\/limit-/.test(name)),
    ask: (name: string) => metadata.annotations[`nginx.ingress.kubernetes.io/${name}`],
    paths: spec.rules.flatMap(({ http }) => http.paths.map(({ path }) => path)),
    services: spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service.name)),
  }));
const ingressOf = (path: string) => ingresses.find(({ paths }) => paths.includes(path));

/** The text between a line that begins a block and the line that ends it, as deep. */
function blockOf(text: string, head: string): string {
  const at = text.indexOf(head);
  if (at < 0) throw new Error(`there is no "${head}"`);
  const indent = /[ \t]*$/.exec(text.slice(0, at))?.[0] ?? '';
  return text.slice(at, text.indexOf(`\n${indent}}`, at));
}

test('no query, header or cookie gets into a line of a log', () => {
  const format = /^log_format refill ([^;]+);$/m.exec(nginx)?.[1] ?? '';
  const named = [...format.matchAll(/\$(\w+)/g)].map(([, name]) => name);
  // `$request` and `$request_uri` hold the query; `$http_...`, `$cookie_...`, `$arg_...` what a visitor sends.
  expect(named).toEqual([
    'remote_addr',
    'host',
    'request_method',
    'uri',
    'status',
    'body_bytes_sent',
    'request_time',
    'upstream_addr',
    'upstream_status',
    'upstream_response_time',
  ]);
  expect(nginx.match(/^ *access_log .*$/gm)).toEqual(Array(2).fill('    access_log /var/log/nginx/refill.log refill;'));
  // Below that level a failed replica, and a call above a limit, are written with the whole request line.
  expect(nginx.match(/^ *error_log .*$/gm)).toEqual(
    Array(2).fill('    error_log /var/log/nginx/refill-error.log crit;'),
  );

  expect(haproxy.match(/^ *log-format .*$/gm)).toEqual(['    log-format "%ci %[var(txn.host)] %HM %HP %ST %B %Ta %s"']);
  expect(haproxy).not.toMatch(/^\s*(?:http-request capture|capture|error-log-format)\b/m);

  // One log for lines of calls and of errors: both hold the request.
  const options = blockOf(caddy, 'log default {');
  const fields = blockOf(options, 'fields {').split('\n').slice(1);
  expect(fields.map((line) => line.trim())).toEqual([
    'request>uri regexp "\\?.*" ""',
    'request>headers delete',
    'resp_headers delete',
  ]);
  expect(caddy.match(/^\s*log\b.*$/gm)?.map((line) => line.trim())).toEqual(['log default {', 'log']);

  // The controller's own format holds queries; it is the operator's to change.
  expect(ingresses.map(({ name, ask }) => [name, ask('enable-access-log')])).toEqual(
    ingresses.map(({ name }) => [name, 'false']),
  );
});

test('the largest body is one number', () => {
  expect(/client_max_body_size (\d+)k;/.exec(nginx)?.[1]).toBe(String(BODY_LIMIT / 1024));
  expect(/max_size (\d+)KiB\n/.exec(caddy)?.[1]).toBe(String(BODY_LIMIT / 1024));
  expect(/Content-Length}\) > (\d+)\n/.exec(caddy)?.[1]).toBe(String(BODY_LIMIT));
  for (const path of ['/', '/callback'])
    expect(ingressOf(path)?.ask('proxy-body-size')).toBe(`${String(BODY_LIMIT / 1024)}k`);
});

test('health is not answered outside, however its path is written', () => {
  expect(blockOf(nginx, 'location ~ ^/(healthz|readyz) {')).toContain('return 404;');
  expect(haproxy).toMatch(/return status 404 if \{ path,url_dec,\S+ -m beg -i \/healthz \/readyz \}/);
  expect(caddy).toContain('@health path /healthz* /readyz*');
  // `respond` alone would come after the other handle blocks.
  expect(blockOf(caddy, 'handle @health {')).toContain('respond 404');
  for (const path of ['/healthz', '/readyz']) {
    const { paths = [], services = [] } = ingressOf(path) ?? {};
    expect(services[paths.indexOf(path)]).toBe('refill-nothing');
  }
});

test('calls of one network are limited; callbacks of providers and files are not', () => {
  expect(blockOf(nginx, 'location / {\n        limit_req')).toMatch(/limit_req zone=refill_calls .*limit_conn /s);
  const free = [`location ~ ^/(callback|${LOGIN_NOTICE_PATH.slice(1)})/ {`, 'location ~ ^/(assets|messages)/ {'];
  for (const head of free) expect(blockOf(nginx, head)).not.toContain('limit_');
  expect(nginx).toMatch(/^limit_req_status 429;$/m);

  expect(haproxy).toContain(`acl is_callback path_beg /callback/ ${LOGIN_NOTICE_PATH}/\n`);
  const limits = haproxy.match(/^.*(?:track-sc1|sc_http_req_rate).*$/gm) ?? [];
  expect(limits).toHaveLength(2);
  for (const line of limits) expect(line).toMatch(/!is_file !is_callback$/);
  expect(haproxy).toMatch(/tcp-request connection reject if \{ sc_conn_cur\(0\) gt \d+ \}/);

  expect(ingressOf('/')?.limits).toHaveLength(3);
  for (const path of ['/callback', LOGIN_NOTICE_PATH, '/assets', '/messages', '/pictures'])
    expect([path, ingressOf(path)?.limits]).toEqual([path, []]);
});

test('a file that one replica does not have is asked of another one', () => {
  expect(blockOf(nginx, 'location ~ ^/(assets|messages)/ {')).toMatch(/proxy_next_upstream [^;]*\bhttp_404\b/);
  const files = haproxy.slice(haproxy.indexOf('\nbackend refill-files'));
  expect(files).toMatch(/^ {4}retry-on .*\b404\b/m);
  // A call that has reached a replica is never sent to another one.
  expect(haproxy.match(/retry-on .*/g)).toHaveLength(2);
  expect(haproxy).toMatch(/^ {4}retry-on conn-failure$/m);
  expect(blockOf(caddy, 'handle @files {')).toMatch(
    /127\.0\.0\.1:8081 127\.0\.0\.1:8082 \{\s+lb_policy first\s.*status 404 .*127\.0\.0\.1:8082 127\.0\.0\.1:8081 \{\s+lb_policy first\s/s,
  );
  for (const path of ['/assets', '/messages'])
    expect(ingressOf(path)?.ask('proxy-next-upstream')).toMatch(/\bhttp_404\b/);
});

test('a busy replica stays in, a proxy has no rights that it does not need, and keeps files where it may', () => {
  expect(haproxy).toMatch(/^ {4}chroot \S+\n {4}user haproxy\n {4}group haproxy$/m);
  // One second would take a replica out that is only busy, and the other one with it.
  expect(haproxy).toMatch(/^ {4}timeout check 5s$/m);
  expect(caddy).toMatch(/^\t+health_timeout 5s$/m);
  expect(/proxy_cache_path (\S+)/.exec(nginx)?.[1]).toMatch(/^\/var\/cache\/[a-z-]+$/);
});

test('proxies and containers listen at IPv6 too: a cluster, or a visitor, may have nothing else', () => {
  for (const path of ['Containerfile', 'compose.yaml', 'kubernetes/settings.env']) {
    const hosts = [...read(path).matchAll(/_HOST(?:=|: )'?([0-9.:]+)/g)].map(([, host]) => host);
    expect([path, hosts]).toEqual([path, ['::', '::']]);
  }
  for (const port of ['80', '443']) {
    expect(nginx).toContain(`listen [::]:${port}`);
    expect(haproxy).toContain(`bind :::${port} v6only`);
  }
});
