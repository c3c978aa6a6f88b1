// Tests that the log never holds persons or secrets, whatever it is handed.
import { expect, test } from 'vitest';
import { SECRET_KEYS, createLog, describeRequest, maskSecrets } from './log.ts';

const token = `rf1_${'a1B_'.repeat(10)}xyz`;

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(createLog('trace', { write: (line) => void (text += line) }));
  return text;
}

test.each(SECRET_KEYS)('%s is masked at the top, below, and in the text of an error', (key) => {
  const text = logged((log) => {
    log.info({ [key]: 'VALUE-1' }, 'x');
    log.info({ input: { [key]: 'VALUE-2' } }, 'x');
    log.info({ a: { b: { [key]: 'VALUE-3' } } }, 'x');
    log.info({ err: new Error(`failed with ${key}=VALUE-4&x=1, {"${key}":"VALUE-5"}, ${key}: VALUE-6`) }, 'x');
    // The message of a provider's adapter, as it is kept with the reason.
    log.info({ reason: `failed with ${key}=VALUE-7, ${key}: Bearer VALUE-8` }, 'x');
  });
  expect(text).not.toContain('VALUE-');
  expect(text).toContain('***');
});

test('codes that say where or what went wrong stay readable; others are masked, whatever stands before them', () => {
  const plain = '{"countryCode":"DE","errorCode":"14_006","resultCode":"Authorised"} error_code=7';
  expect(maskSecrets(plain)).toBe(plain);
  expect(maskSecrets('{"authCode":"VALUE-1","smsCode":"VALUE-2"} sms_code=VALUE-3 code=VALUE-4')).not.toContain(
    'VALUE-',
  );
});

test('an error is its name, message and stack; the properties it carries stay out', () => {
  const error = Object.assign(new Error('broke'), {
    code: 'E1',
    request: { body: 'VALUE-1' },
    config: { auth: 'VALUE-2' },
  });
  const text = logged((log) => log.error({ err: error }, 'x'));
  expect(JSON.parse(text)).toMatchObject({
    err: { name: 'Error', message: 'broke', kind: 'E1', stack: expect.stringContaining('log.test.ts') },
  });
  expect(text).not.toContain('VALUE-');
});

test('a request is its method, host and path', () => {
  expect(
    describeRequest({ method: 'GET', url: `/x?oauth_token=${token}#f`, headers: { host: 'h', cookie: 'c' } }),
  ).toEqual({ method: 'GET', host: 'h', path: '/x' });
  expect(describeRequest({ method: 'GET', url: '/'.padEnd(500, 'x'), headers: {} }).path).toHaveLength(200);
});

test('a session token is masked wherever it stands in a text', () => {
  expect(maskSecrets(`see ${token}, and Bearer ${token}`)).toBe('see rf1_***, and Bearer rf1_***');
});

test('a line is one line, whatever a stranger writes into it', () => {
  const text = logged((log) => log.warn({ reason: 'a\n{"level":50}\r\nb' }, 'x'));
  expect(text.trimEnd().split('\n')).toHaveLength(1);
});
