// The front page of the simulators: what there is and where.

import type { FastifyInstance } from 'fastify';
import { escapeHtml, sendPage } from './kit/page.ts';
import { demoPassword } from './gameserver-calls.ts';
import type { Worlds } from './gameserver-world.ts';
import { identityNames } from './identity/all.ts';
import { paymentMounts } from './payments/all.ts';

const sampleGame = `<div class="card"><h2>A game with the shop inside</h2><p><a href="/sample-game">Sample game</a>: frames the shop, opens it in the
browser, and shows a code for another device, as <code>docs/sdk-view.md</code> tells a game's engineers.</p></div><br>
`;

/** @param hasSampleGame whether there is a game with the shop inside */
export function mountIndexPage(app: FastifyInstance, worlds: Worlds, hasSampleGame: boolean): void {
  app.get('/', (_request, reply) => {
    const providers = Object.keys(paymentMounts)
      .map((name) => `<li><a href="/control/${name}">${name}</a>: payments, callbacks and faults it holds (JSON)</li>`)
      .join('');
    const games = [...worlds.values()]
      .map((world) => `<li><a href="/game?game=${world.id}">${escapeHtml(world.name)}</a></li>`)
      .join('');
    return sendPage(reply, {
      title: 'Simulators',
      banner: 'Everything here is simulated: no real money, no real goods',
      width: '44rem',
      content: `<h1>The outside world, simulated</h1>
<div class="card"><h2>Games</h2><p><a href="/game">Inbox</a>: what each character received.</p><ul>${games}</ul>
<p>Any player name signs in with the password <code>${demoPassword}</code>; names that begin with <code>kestrel</code> have the demo characters,
names that begin with <code>solo</code> have one in every game, <code>newcomer</code> none, names that begin with <code>disabled</code> are refused, names that begin with <code>ghost</code> lose their characters before delivery,
<code>novice</code>, <code>bagfull</code> and <code>owner</code> are refused by the game before they pay, <code>fickle</code> after it.</p>
<p><a href="/game/offers">Give a player an offer</a>, as a game's server does.</p><p><a href="/control/game">Counters</a> (JSON)</p></div><br>
${hasSampleGame ? sampleGame : ''}<div class="card"><h2>Logins</h2><p>Reached from the shop's login popup: ${identityNames.join(', ')}. Any name will do.</p></div><br>
<div class="card"><h2>Payment providers</h2><ul>${providers}</ul>
<p>Their pay pages are reached from the shop. Words typed into a page's note make things go wrong; the page lists them.</p></div>`,
    });
  });
}
