// Reports in a document: what is sent of a fault, how often, and what a player sees and adds.
import { beforeEach, expect, test } from 'vitest';
import { reportRoutes } from '#contracts/reports.ts';
import { CallError } from '#web/platform/calls/query.ts';
import { appear, type Canned, draw, find, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { english } from '#testing/english.ts';
import { clearReports, openReport, reportFault, reportScript } from './report.ts';

speak(english);

const FAULT = { kind: 'network', path: '/api/pay/getServerList', code: 502 } as const;
const DONE: Canned = { content: {} };

beforeEach(async () => {
  clearReports();
  history.replaceState(null, '', '/selectGoods?oauth_token=secret&billing_no=B1');
  await draw(<p>shop</p>);
});

function line(answers: Canned | Canned[] = DONE) {
  const calls = serve({ [reportRoutes.send.path]: answers });
  return () => calls.map(({ fields }) => fields);
}
async function write(text: string): Promise<void> {
  const area = document.querySelector('textarea');
  if (!area) throw new Error('nowhere to write');
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, text);
  area.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
}

test('L194 a fault is reported with path, code, page, language and time, and no query', async () => {
  const sent = line();
  reportFault(FAULT);
  await settle();
  expect(sent()).toEqual([
    {
      ...FAULT,
      spec_lang: 'en',
      page: '/selectGoods',
      language: 'en',
      build: '',
      note: '',
      time: expect.any(Number),
      reference: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
    },
  ]);
  expect(JSON.stringify(sent())).not.toContain('secret');
});

test('the number of the call that failed goes along, and is shown as what is sent', async () => {
  const sent = line();
  const request = '0af7651916cd43dd8448eb211c80319c';
  openReport({ ...FAULT, request });
  await appear('Send');
  expect(sent()[0]).toMatchObject({ request });
  expect(document.querySelector('details')?.textContent).toContain(request);
});

test('the same fault is told once, another one too', async () => {
  const sent = line();
  const first = reportFault(FAULT);
  expect(reportFault(FAULT).reference).toBe(first.reference);
  reportFault({ ...FAULT, code: 0 });
  await settle();
  expect(sent()).toHaveLength(2);
});

test('a report that finds no line waits, five at most, and goes with the next; its own failure is none', async () => {
  line('dead');
  for (let n = 0; n < 8; n += 1) reportFault({ ...FAULT, path: `/api/${n}` });
  reportFault({ ...FAULT, path: reportRoutes.send.path });
  await settle();
  const sent = line();
  reportFault({ ...FAULT, path: '/api/last' });
  await settle();
  expect(sent().map(({ path }) => path)).toEqual(['/api/4', '/api/5', '/api/6', '/api/7', '/api/last']);
});

test('L53 the popup says what is sent, and sends what the player adds under the same reference', async () => {
  const sent = line();
  openReport(FAULT);
  await appear('Send');
  const { reference } = sent()[0] ?? {};
  for (const text of [english['network.failed'], reference, FAULT.path, '502', '/selectGoods'])
    expect(shownText()).toContain(text);
  expect((find('Send') as HTMLButtonElement).disabled).toBe(true);
  await write('It stood still');
  await press('Send');
  expect(sent()[1]).toMatchObject({ reference, note: 'It stood still' });
  expect(shownText()).toContain(english['report.sent']);
});

test('where the clipboard is shut the reference is given to be copied by hand, and words written so far stay', async () => {
  const sent = line();
  openReport(FAULT);
  await appear('Send');
  await write('It stood still');
  const clipboard = { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  await press('Copy');
  const shown = () => [...document.querySelectorAll('input')].map(({ value }) => value);
  await expect.poll(shown).toContain(sent()[0]?.['reference']);
  expect(document.querySelector('textarea')?.value).toBe('It stood still');
});

test('L53 words that cannot be sent stay, and the way to the service is there', async () => {
  line('dead');
  openReport();
  await appear('Send');
  await write('It stood still');
  await press('Send');
  expect(shownText()).toContain(english['report.failed']);
  expect(document.querySelector('textarea')?.value).toBe('It stood still');
});

test('a fault of our own script is told by name and place, never by its message', async () => {
  const sent = line();
  const error = Object.assign(new TypeError('secret'), {
    stack: 'TypeError: secret\n at f (http://shop/assets/main-a1.js:1:99)',
  });
  reportScript(error);
  reportScript(new Error('of somebody else'));
  reportScript(new CallError({ kind: 'network' }));
  reportScript('text');
  await settle();
  expect(sent()).toMatchObject([{ kind: 'script', path: 'main-a1.js:1:99/TypeError' }]);
  expect(JSON.stringify(sent())).not.toContain('secret');
});
