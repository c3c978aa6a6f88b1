// Who acts, for the audit.
import { userInfo } from 'node:os';
import { InputFault } from '#cli/terminal.ts';

/** @param by what `--by` says; the login name of this machine unless given */
export function actorOf(by: string | undefined): string {
  const name = (by ?? userInfo().username).trim();
  if (name === '') throw new InputFault('--by: it must be a name.');
  return name;
}
