// Which game one logs in for.
import { readBoot } from '#web/platform/boot.ts';

/**
 * The client id of the address where the brand has it, else the page's own, else any of the brand's:
 * accounts belong to all its games.
 */
export function clientOfPage(): string {
  const { games, clientId } = readBoot();
  const clients = games.flatMap(({ client_id, sub_game }) => [
    ...Object.values(sub_game).map((one) => one.client_id),
    client_id,
  ]);
  const asked = new URLSearchParams(location.search).getAll('client_id').at(-1) ?? '';
  return clients.includes(asked) ? asked : clientId || (clients[0] ?? '');
}
