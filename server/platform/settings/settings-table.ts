// THE table of the settings of a process: name, meaning, default, range, secret or not, and who reads it.
// `config.ts` reads from it, and
// docs/settings.md is made of it. Settings of providers, logins and games have declarations of
// their own (scoped-settings.ts).
import { isMetadataHost } from '#kernel/metadata-hosts.ts';
import { findProxyFault } from './proxies.ts';
import { choice, commaList, linesOfFile, onOff, plainText, required, wholeNumber } from './setting.ts';

const otelExporter = (name: string, about: string) =>
  plainText(name, {
    range: 'otlp, none',
    fallback: '',
    about: `${about}: \`otlp\` or \`none\`; unset: \`otlp\` where an endpoint is`,
    check: (given) =>
      ['', 'otlp', 'none'].includes(given) ? null : { reason: `is "${given}"`, remedy: 'it must be otlp or none' },
  });

export const SETTINGS = {
  environment: required('REFILL_ENVIRONMENT', {
    values: ['demo', 'live'],
    // There is no default: forgetting it must not decide.
    missing: 'say which side this process serves, demo or live',
    about: 'Which side this process and its database serve: real money, or the sandboxes of providers and games',
    readBy: 'shop, refill',
  }),
  databaseUrl: plainText('DATABASE_URL', {
    about: 'The PostgreSQL of the shop, 16 or newer',
    readBy: 'shop, npm start, refill',
    range: 'postgres://user:password@host:port/database',
    fallback: '',
    isSecret: true,
    mayBeFile: true,
    check: (given) => {
      if (/^postgres(ql)?:\/\//.test(given)) return null;
      return {
        reason: given === '' ? 'is missing' : 'is no address of a PostgreSQL',
        remedy: 'give one, e.g. postgres://user@host/refill',
      };
    },
  }),
  shopFolder: plainText('REFILL_SHOP', {
    range: 'path of a folder',
    fallback: '',
    about:
      'Folder of your own shop (`refill new`): its brands, games, channels, messages, modules and `.env`; as ' +
      '`--shop`, which wins over it',
    readBy: 'shop, npm start, refill',
  }),
  dataFolder: plainText('REFILL_DATA', {
    range: 'path of a folder',
    fallback: '',
    about:
      'Data folder, `.data` unless set: the embedded PostgreSQL, the simulators, the logs, and callbacks that no ' +
      'database could store; of your own shop in its folder',
    readBy: 'shop, npm start, refill',
  }),
  callbackRecordFolder: plainText('REFILL_CALLBACK_RECORD', {
    range: 'path of a folder',
    fallback: '',
    about:
      'Where callbacks of providers lie while the database cannot store them, on a disk that outlives the ' +
      'process; `callbacks` in the data folder unless set',
    readBy: 'shop, refill',
  }),
  callbackRecordMb: wholeNumber('REFILL_CALLBACK_RECORD_MB', {
    // Our choice: two hours of ten callbacks a second, of 2 to 3 kB each.
    fallback: 256,
    min: 0,
    max: 1_000_000,
    about: 'How many MB of callbacks may lie there, a quarter of it for such as could not be proven yet; 0: none',
    readBy: 'shop, refill',
  }),
  valkeyUrl: plainText('REDIS_URL', {
    about:
      'A Valkey or Redis that counts calls, logins and guesses for all processes instead of the database; while ' +
      'it is away each process counts by itself',
    range: 'redis://user:password@host:port/number, rediss:// with TLS',
    fallback: '',
    isSecret: true,
    mayBeFile: true,
    check: (given) =>
      given === '' || (/^rediss?:\/\//.test(given) && URL.canParse(given))
        ? null
        : { reason: 'is no address of a Valkey', remedy: 'give one, e.g. redis://host:6379, or nothing' },
  }),
  databaseWaitSeconds: wholeNumber('REFILL_DATABASE_WAIT', {
    // Our choice: a failover of Patroni takes 20 to 40 s with the settings of docs/operating.md.
    fallback: 60,
    min: 0,
    max: 3600,
    about: 'How many seconds a start waits for a database that cannot be reached',
  }),
  poolSize: wholeNumber('REFILL_POOL', {
    fallback: 12,
    min: 2,
    max: 200,
    about: 'Database connections of this process',
  }),
  databaseReadUrl: plainText('DATABASE_READ_URL', {
    about: 'A streaming replica of that PostgreSQL, for history, searches, reports and the look at all books',
    readBy: 'shop, refill',
    range: 'postgres://user:password@host:port/database',
    fallback: '',
    isSecret: true,
    mayBeFile: true,
    check: (given) => {
      if (given === '' || /^postgres(ql)?:\/\//.test(given)) return null;
      return {
        reason: 'is no address of a PostgreSQL',
        remedy: 'give one, e.g. postgres://user@replica/refill, or leave it out: the primary is read then',
      };
    },
  }),
  replicaMaxBehindSeconds: wholeNumber('REFILL_REPLICA_MAX_BEHIND', {
    fallback: 30,
    min: 1,
    max: 3600,
    about: 'Seconds; a replica that is further behind is not read, the primary is',
  }),
  fullCheckHour: wholeNumber('REFILL_FULL_CHECK_HOUR', {
    fallback: 3,
    min: 0,
    max: 23,
    about: 'Hour of the day in UTC after which a worker looks at all books; at what changed it looks every hour',
  }),
  preparesStatements: onOff('REFILL_PREPARED_STATEMENTS', {
    fallback: true,
    about:
      'Whether statements are prepared once a connection; off behind a pooler that hands connections on between ' +
      'transactions and keeps none, as PgBouncer before 1.21',
  }),
  sharesTransactions: onOff('REFILL_SHARED_TRANSACTIONS', {
    fallback: true,
    about: 'Whether orders that meet may share a database transaction; slower under load without, and as right',
  }),
  role: choice('REFILL_ROLE', {
    values: ['all', 'web', 'worker'],
    fallback: 'all',
    about: 'web serves, worker delivers and asks for payments, all does both; `refill serve --role` wins over it',
  }),
  port: wholeNumber('PORT', {
    fallback: 8080,
    min: 0,
    max: 65_535,
    about: 'Where HTTP is served; 0 takes a free port',
    readBy: 'shop, npm start',
  }),
  host: plainText('REFILL_HOST', {
    range: 'address of this machine',
    fallback: '127.0.0.1',
    about:
      'The address of the listener: loopback, because a proxy with TLS stands before it. `::` takes IPv6 and IPv4, and ' +
      'IPv4 alone where the machine has no IPv6',
  }),
  trustedProxies: commaList('REFILL_TRUSTED_PROXIES', {
    range: 'addresses and networks, by commas',
    about: 'Whose X-Forwarded-For and X-Forwarded-Proto are believed',
    check: findProxyFault,
  }),
  countryHeader: plainText('REFILL_COUNTRY_HEADER', {
    range: 'name of a header, e.g. CF-IPCountry',
    fallback: '',
    about: "The header in which your proxy names a visitor's country; believed from REFILL_TRUSTED_PROXIES alone",
    check: (given) =>
      given === '' || /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(given)
        ? null
        : { reason: `is "${given}"`, remedy: 'it must be the name of a header, e.g. CF-IPCountry' },
  }),
  stopNoticeSeconds: wholeNumber('REFILL_STOP_NOTICE', {
    // Our choice: two looks of a balancer that looks every other second, and one to spare.
    fallback: 5,
    min: 0,
    max: 300,
    about:
      'How many seconds a web process that gets SIGTERM says 503 at `/readyz` and goes on serving before it closes',
  }),
  operatorPort: wholeNumber('REFILL_OPERATOR_PORT', {
    fallback: 0,
    min: 0,
    max: 65_535,
    about:
      "The operator's port, in every role and on no shop host: health with its counts, metrics, the admin API; 0: none",
  }),
  operatorHost: plainText('REFILL_OPERATOR_HOST', {
    range: 'address of this machine',
    fallback: '127.0.0.1',
    about:
      "The address of the operator's port, `::` as for REFILL_HOST; beyond loopback counts and metrics need " +
      'REFILL_OPERATOR_TOKEN',
  }),
  operatorToken: plainText('REFILL_OPERATOR_TOKEN', {
    range: '24 characters or more',
    fallback: '',
    about:
      'Opens `/healthz/details` and `/metrics`, as `Authorization: Bearer`; without it the port of the shop has ' +
      'no `/healthz/details`',
    isSecret: true,
    mayBeFile: true,
    check: (given) =>
      given === '' || /^\S{24,}$/.test(given)
        ? null
        : {
            reason: 'is too short, or holds blanks',
            remedy: 'give 24 random characters or more, e.g. of openssl rand -base64 24',
          },
  }),
  logLevel: choice('REFILL_LOG', {
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    fallback: 'info',
    about: 'Which lines are logged',
  }),
  hasAccessLog: onOff('REFILL_ACCESS_LOG', {
    fallback: false,
    about:
      'A line in the log for every request: method, host, path without its query, status, milliseconds; no address',
  }),
  otelEndpoint: plainText('OTEL_EXPORTER_OTLP_ENDPOINT', {
    range: 'http or https address',
    fallback: '',
    about:
      'A collector of OpenTelemetry that takes OTLP by HTTP: switches its traces and logs on; all variables of ' +
      'the standard hold, e.g. OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER',
    readBy: 'shop, OpenTelemetry',
    check: (given) =>
      given === '' || /^https?:\/\//.test(given)
        ? null
        : { reason: `is "${given}"`, remedy: 'it must be an address, e.g. http://127.0.0.1:4318' },
  }),
  otelTraces: otelExporter('OTEL_TRACES_EXPORTER', 'Traces of OpenTelemetry'),
  otelLogs: otelExporter('OTEL_LOGS_EXPORTER', 'The log, sent to OpenTelemetry as well'),
  otelDisabled: plainText('OTEL_SDK_DISABLED', {
    range: 'true, false',
    fallback: '',
    about: 'true: nothing of OpenTelemetry, whatever else is set',
  }),
  maxOrdersPerMinute: wholeNumber('REFILL_MAX_ORDERS_PER_MINUTE', {
    // @source docs/security.md, limits of one player
    fallback: 10,
    min: 1,
    max: 100_000,
    about: 'Orders that one player may place in a minute',
  }),
  maxOpenOrders: wholeNumber('REFILL_MAX_OPEN_ORDERS', {
    fallback: 5,
    min: 1,
    max: 100_000,
    about:
      'Unpaid orders that one player may have; for one more, the shop closes the oldest that shows no sign of a payment, ' +
      'where its provider can',
  }),
  visitMbPerDay: wholeNumber('REFILL_VISIT_MB_PER_DAY', {
    // Our choice: some 15,000 visits of a dozen moments.
    fallback: 50,
    min: 1,
    max: 100_000,
    about:
      'MB of moments of visits that a process stores in a day, a fiftieth of it from one network; the table holds a ' +
      'hundred such days, and more is counted and dropped',
  }),
  demoEmbedParents: commaList('REFILL_DEMO_EMBED_PARENTS', {
    range: 'http origins of this machine, by commas',
    about:
      "Pages that may frame the game's view of every brand, beside the brand's embedParents; a live shop takes " +
      'no heed of it',
    check: (entry) =>
      /^http:\/\/(localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1)(:\d+)?$/.test(entry)
        ? null
        : { reason: `names "${entry}"`, remedy: 'give origins of this machine, e.g. http://localhost:8081' },
  }),
  loginsPerMinute: wholeNumber('REFILL_LOGINS_PER_MINUTE', {
    fallback: 20,
    min: 1,
    max: 100_000,
    about: 'Password logins from one address in a minute',
  }),
  deniedPasswords: linesOfFile('REFILL_DENIED_PASSWORDS_FILE', {
    about: 'Passwords, one a line, that no player may choose, e.g. of a list of leaked ones',
  }),
  keySecrets: commaList('REFILL_KEY_SECRETS', {
    range: '32 characters or more each, by commas',
    about:
      'What the keys of the admin API and the secrets of outgoing webhooks are made of, and what the texts that ' +
      'games keep for `refill recover` are sealed with; the first makes new ones, the others still open old ' +
      'ones; without it there are none of these. The demo has another one',
    isSecret: true,
    mayBeFile: true,
    readBy: 'shop, refill',
    check: (entry) =>
      /^\S{32,}$/.test(entry) && new Set(entry).size >= 10
        ? null
        : { reason: 'holds one that is too short', remedy: 'make one with `openssl rand -base64 32`' },
  }),
  webhookPrivateHosts: commaList('REFILL_WEBHOOK_PRIVATE_HOSTS', {
    range: 'host or host:port, by commas',
    about: 'Hosts of outgoing webhooks that may lie in a private network and speak plain http; all others may not',
    readBy: 'shop, refill',
    check: (entry) => {
      const url = URL.parse(`http://${entry}/`);
      if (url?.pathname !== '/')
        return { reason: `names "${entry}"`, remedy: 'give a host, or a host with its port, e.g. crm.internal:8443' };
      const reason = `names ${entry}, which hands out the credentials of a machine in a cloud`;
      return isMetadataHost(url.hostname) ? { reason, remedy: 'take it off the list' } : null;
    },
  }),
  tlsRejectUnauthorized: plainText('NODE_TLS_REJECT_UNAUTHORIZED', {
    range: 'not 0 in live',
    fallback: '',
    about: "Node's own switch for the check of certificates; a live shop refuses to start with 0",
    readBy: 'Node.js',
  }),
} as const;

/**
 * Names that begin with REFILL_ and belong to other programs of this project: no shop reads them, and
 * none takes them for a mistake.
 */
export const OTHER_SETTINGS = [
  plainText('REFILL_E2E_ALL', {
    range: '1',
    fallback: '',
    about: 'Browser tests of every channel instead of one of each kind',
    readBy: 'npm run e2e',
  }),
] as const;
