// The script of the sample game's page, as a game's own engineers would write it.

import type { Choice } from './sample-game-page.ts';

/** @param origin of the brand's shop; @param character query keys of the one that plays */
export function writeSampleScript(origin: string, choice: Choice, character: Record<string, string>): string {
  // "<" would end the script element.
  const data = JSON.stringify({ origin, choice, character }).replaceAll('<', '\\u003c');
  return `const { origin, choice, character } = ${data};
const find = (id) => document.getElementById(id);
const [shop, frame, log] = ['shop', 'frame', 'log'].map(find);
const say = (text) => log.append(Object.assign(document.createElement('li'), { textContent: text }));

async function ask(kind) {
  const answer = await fetch('/sample-game/ticket', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...choice, kind }),
  });
  const content = await answer.json();
  if (content.status !== 'ok') say('the shop said no: ' + content.reason);
  return content;
}
function addressOf(ticket) {
  const address = new URL('/userCenter', origin);
  const keys = { visit: 'sdk', client_id: choice.client, spec_lang: choice.lang, ...character, ticket };
  for (const [key, value] of Object.entries(keys)) address.searchParams.set(key, value);
  return address.href;
}
find('inside').onclick = async () => {
  const { ticket } = await ask('ticket');
  if (!ticket) return;
  frame.src = addressOf(ticket);
  shop.showModal();
};
find('close').onclick = () => shop.close();
shop.onclose = () => frame.removeAttribute('src');
find('browser').onclick = async () => {
  // Opened on the press itself; the address follows.
  const opened = window.open('about:blank', '_blank');
  const { url } = await ask('ticket');
  if (url && opened) { opened.opener = null; opened.location.replace(url + '&spec_lang=' + choice.lang); }
};
find('device').onclick = async () => {
  const { code, url } = await ask('code');
  if (!code) return;
  find('code').textContent = code;
  find('link').textContent = find('link').href = url;
  find('other').hidden = false;
};
addEventListener('message', async ({ origin: from, source, data }) => {
  // Exactly the shop, and exactly this frame.
  if (from !== origin || source !== frame.contentWindow || data?.from !== 'refill') return;
  if (data.type === 'ready') say(data.logged_in ? 'the shop is open' : 'the shop is open, and knows nobody');
  if (data.type === 'order') say('order ' + data.billing_no + ': ' + ({ 1: 'delivered', '-2': 'failed' }[data.status] ?? 'waiting'));
  if (data.type === 'open') window.open(data.url, '_blank', 'noopener');
  if (data.type === 'ticket_wanted') {
    say('a ticket is wanted: ' + data.reason);
    const { ticket } = await ask('ticket');
    if (ticket) source.postMessage({ to: 'refill', type: 'ticket', ticket }, origin);
  }
});`;
}
