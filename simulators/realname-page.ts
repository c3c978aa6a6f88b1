// The page on which a simulated player says who they are: verified, refused, or left without either.
import type { FastifyReply } from 'fastify';
import { escapeHtml, sendPage } from './kit/page.ts';
import { textAt } from './kit/read.ts';

/** @param names fields of the query that go back with the form */
export function sendRealNamePage(reply: FastifyReply, action: string, query: unknown, names: readonly string[]) {
  const hidden = names
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(textAt(query, name) ?? '')}">`)
    .join('');
  return sendPage(reply, {
    title: 'Real-name check',
    banner: 'Simulated real-name service: enter nothing real',
    content: `<h1>Confirm who you are</h1><form class="card" method="post" action="${action}">${hidden}
<label for="name">Name</label><input id="name" name="name" autocomplete="off"><button class="main" name="action" value="verify">Verify</button>
<button name="action" value="refuse">Refuse</button>
<button name="action" value="cancel">Cancel</button></form>`,
  });
}

export function leaveRealNamePage(reply: FastifyReply, back: string | undefined, isVerified: boolean) {
  // Only web addresses: the address came from a query that anybody can write.
  if (back && /^https?:\/\//.test(back)) return reply.redirect(back, 303);
  return sendPage(reply, {
    title: 'Real-name check',
    content: `<h1>${isVerified ? 'Verified' : 'Not verified'}</h1>`,
  });
}
