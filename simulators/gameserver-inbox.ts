// The inbox page: what each character received, as a player would find it in the game's mail.

import type { FastifyInstance } from 'fastify';
import { escapeHtml, sendPage } from './kit/page.ts';
import { textAt } from './kit/read.ts';
import { leaveRealNamePage, sendRealNamePage } from './realname-page.ts';
import type { GameState, Grant } from './gameserver-state.ts';
import type { Worlds } from './gameserver-world.ts';

const shownRows = 100;

export function mountInbox(app: FastifyInstance, state: GameState, worlds: Worlds, isoNow: () => string): void {
  const filterOf = (query: unknown) => {
    const pairs = Object.entries({
      game: textAt(query, 'game'),
      userId: textAt(query, 'user_id'),
      roleId: textAt(query, 'role_id'),
      billingNo: textAt(query, 'billing_no'),
    }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(pairs);
  };
  const limitOf = (query: unknown) => Number(textAt(query, 'limit') ?? shownRows);

  app.get('/game/inbox.json', (request) => ({
    grants: state
      .listGrants(filterOf(request.query), limitOf(request.query))
      .map(({ print: _print, ...grant }) => grant),
  }));

  app.get('/game', (request, reply) => {
    const rows = tableOf(state.listGrants(filterOf(request.query), shownRows), worlds);
    if (textAt(request.query, 'part') === 'rows') return reply.type('text/html; charset=utf-8').send(rows);
    const value = (name: string) => escapeHtml(textAt(request.query, name) ?? '');
    const options = [...worlds.values()]
      .map(
        (world) =>
          `<option value="${world.id}"${value('game') === world.id ? ' selected' : ''}>${escapeHtml(world.name)}</option>`,
      )
      .join('');
    return sendPage(reply, {
      title: 'Inbox of the simulated games',
      banner: 'Simulated game servers: no real goods',
      width: '70rem',
      content: `<h1>What the characters received</h1>
<form class="card filter" method="get" action="/game"><div><label for="game">Game</label><select id="game" name="game"><option value="">All games</option>${options}</select></div>
<div><label for="user_id">Player or character name</label><input id="user_id" name="user_id" value="${value('user_id')}" autocapitalize="none"></div>
<div><label for="billing_no">Order number</label><input id="billing_no" name="billing_no" value="${value('billing_no')}" autocapitalize="characters"></div>
<button>Show</button></form><p>Newest first; this list renews itself every 2 seconds. <a href="/">All simulators</a></p>
<div class="card" id="rows" aria-live="polite" style="overflow-x:auto">${rows}</div>`,
      script: `const rows=document.getElementById("rows");setInterval(async()=>{const url=new URL(location.href);url.searchParams.set("part","rows");
try{const answer=await fetch(url);const text=await answer.text();if(answer.ok&&text!==rows.innerHTML)rows.innerHTML=text}catch{}},2000)`,
    });
  });

  app.get('/game/real-name', (request, reply) =>
    sendRealNamePage(reply, '/game/real-name', request.query, ['game', 'user_id', 'return_url']),
  );

  app.post('/game/real-name', (request, reply) => {
    const [game, userId, back] = ['game', 'user_id', 'return_url'].map((name) => textAt(request.body, name));
    const isVerified = textAt(request.body, 'action') === 'verify' && worlds.has(game ?? '') && userId !== undefined;
    if (isVerified) state.setFlag('verified', game!, userId, isoNow());
    const isRefused = textAt(request.body, 'action') === 'refuse' && worlds.has(game ?? '') && userId !== undefined;
    if (isRefused) state.setFlag('refused', game!, userId, isoNow());
    return leaveRealNamePage(reply, back, isVerified);
  });
}

function tableOf(grants: Grant[], worlds: Worlds): string {
  if (grants.length === 0) return '<p>Nothing received yet.</p>';
  const head = ['Time', 'Game', 'Server', 'Character', 'Product', 'Gifts', 'Receipt', 'Order'];
  return `<table><thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead><tbody>${grants.map((grant) => rowOf(grant, worlds)).join('')}</tbody></table>`;
}

function rowOf(grant: Grant, worlds: Worlds): string {
  const world = worlds.get(grant.game);
  const server = world?.servers.find((known) => known.id === grant.server_id)?.name ?? grant.server_id;
  const gifts = grant.gifts.map((gift) => `${escapeHtml(gift.name || gift.id)} ×${gift.count}`).join('<br>');
  const cells = [
    `<time datetime="${grant.granted_at}">${grant.granted_at.slice(0, 19).replace('T', ' ')}</time>`,
    escapeHtml(world?.name ?? grant.game),
    `<bdi>${escapeHtml(server)}</bdi>`,
    `<bdi>${escapeHtml(grant.role_name)}</bdi><br><small>${escapeHtml(grant.user_id)}</small>`,
    `${escapeHtml(grant.product_id)} ×${grant.quantity}${grant.revoked ? '<br><strong>taken back</strong>' : ''}`,
    gifts || 'none',
    `<code>${grant.receipt_id}</code>`,
    `<code>${escapeHtml(grant.billing_no)}</code>`,
  ];
  return `<tr data-billing-no="${escapeHtml(grant.billing_no)}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
