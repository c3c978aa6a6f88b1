// The address of a brand's pages, as commands print it in links for players and testers.
import type { Brand } from '#server/modules/configuration/service.ts';
import { readCommandEnvironment } from './environment.ts';
import { portOfShop } from './run-file.ts';
import { InputFault, type Terminal } from './terminal.ts';

/** Of the brand's first host of the environment; a demonstration on this machine has its port. Ends without a slash. */
export function originOf(terminal: Terminal, brand: Brand): string {
  if (readCommandEnvironment(terminal.environment) === 'demo')
    return `http://${brand.demoHosts[0] ?? ''}:${portOfShop(terminal)}`;
  const [host] = brand.liveHosts;
  if (host === undefined) throw new InputFault(`--brand "${brand.key}": its file names no live host.`);
  return `https://${host}`;
}
